// Bundles web/package/cli.ts to the program of dist/npm, one file that imports the modules of the package.
import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundle, ONE_FILE } from './bundle.mjs';

/** Makes modules of the engine imports of the package's files, so that error classes exist only once. @returns {import('vite').Plugin} */
const ownModules = () => ({
  name: 'phasor-own-modules',
  enforce: 'pre',
  resolveId(source) {
    const [, name] = /\/engine\/(.+)\.ts$/.exec(source) ?? [];
    return name === undefined ? undefined : { id: `./${name}.js`, external: true };
  },
});

/** @param {string} out */
export async function buildCli(out) {
  const modules = readdirSync(out, { recursive: true }).map(String);
  await bundle(
    out,
    'cli',
    { plugins: [ownModules()], ssr: { noExternal: true }, build: { ssr: true, rollupOptions: { external: [/^node:/], ...ONE_FILE } } },
    modules.filter((name) => name.endsWith('.js')),
  );
  const file = join(out, 'cli.js');
  writeFileSync(file, `#!/usr/bin/env node\n${readFileSync(file, 'utf8')}`);
  chmodSync(file, 0o755);
}
