// The program of a page that is one file, with the kinds of its figures and no other.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { root } from '../root.mjs';
import { colorTables } from '../site/color-tables.mjs';
import { formulas } from '../site/formulas.mjs';
import { starterVectors } from '../site/starter-vectors.mjs';
import { forFigures, ownWasm, workerSource } from '../site/worker-source.mjs';

const REGISTRY = join(root, 'web/figure/contract/registry.ts');
const ALL = "'../kinds/*/index.ts'";

/** In the registry, of all kinds only these. */
const onlyKinds = (ids) => ({
  name: 'phasor-only-kinds',
  enforce: 'pre',
  transform(code, id) {
    if (id !== REGISTRY) return undefined;
    if (!code.includes(ALL)) throw new Error(`${REGISTRY}: kinds are not listed by ${ALL}`);
    return code.replace(ALL, JSON.stringify(ids.map((one) => `../kinds/${one}/index.ts`)));
  },
});

/** A module whose text is known. */
const virtual = (name, text) => ({
  name: `phasor-${name}`,
  enforce: 'pre',
  resolveId: (source) => (source === name ? `\0${name}` : undefined),
  load: async (id) => (id === `\0${name}` ? `export default ${JSON.stringify(await text())};` : undefined),
});

let worker;
/** The same worker for all pages. */
const sameWorker = () => {
  worker ??= workerSource({ figures: true });
  return worker;
};

const photographs = () => `data:application/json;base64,${readFileSync(join(root, 'public/data/photographs.json')).toString('base64')}`;

/**
 * One classic script.
 * @param {{ kinds: string[], texts: string[], frequent: number }} page the kinds of its figures, sentences whose words they need, and how many of
 *   the most frequent words besides
 */
export async function programOf({ kinds, texts, frequent }) {
  const result = await build({
    configFile: false,
    publicDir: false,
    root,
    logLevel: 'error',
    plugins: [
      onlyKinds(kinds),
      virtual('#worker-source', sameWorker),
      virtual('virtual:photographs', () => (kinds.includes('patches') ? photographs() : '')),
      forFigures(),
      ownWasm(),
      colorTables(),
      starterVectors({ texts, frequent }),
      formulas(),
    ],
    build: {
      write: false,
      target: 'es2022',
      rollupOptions: { output: { codeSplitting: false } },
      lib: { entry: join(root, 'web/offline/live.ts'), formats: ['iife'], name: 'phasorPage', fileName: 'page' },
    },
  });
  const files = /** @type {import('rolldown').RolldownOutput} */ ([result].flat()[0]).output;
  if (files.length !== 1)
    throw new Error(`the program of a page is ${files.length} files: ${files.map(({ fileName }) => fileName).join(', ')}`);
  return files[0].code;
}
