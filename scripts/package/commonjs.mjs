// The entries of dist/npm for `require` in Node: the same sources in a few files, since versions below 20.19 and 22.12 cannot require a module.
import { join } from 'node:path';
import { build } from 'vite';
import { root } from '../root.mjs';
import { MADE } from './engine.mjs';

const ENTRIES = { node: 'node', 'workers.node': 'workers.node', 'inline.node': 'inline.node', 'train.node': 'train.node' };

const madeFiles = (out) => ({
  name: 'phasor-made-files',
  enforce: 'pre',
  resolveId: (source) => (Object.hasOwn(MADE, source) ? join(out, MADE[source]) : undefined),
});

export async function buildCommonJs(out) {
  await build({
    configFile: false,
    publicDir: false,
    root,
    logLevel: 'error',
    plugins: [madeFiles(out)],
    build: {
      outDir: out,
      emptyOutDir: false,
      minify: false,
      target: 'es2022',
      sourcemap: true,
      ssr: true,
      assetsInlineLimit: 0,
      rollupOptions: {
        input: Object.fromEntries(Object.entries(ENTRIES).map(([name, file]) => [name, join(root, `web/engine/${file}.ts`)])),
        external: [/^node:/],
        output: {
          sourcemapPathTransform: (source) => source.replace(/^(\.\.\/)*/, ''),
          format: 'cjs',
          entryFileNames: '[name].cjs',
          chunkFileNames: 'commonjs-[name].cjs',
        },
      },
    },
  });
}
