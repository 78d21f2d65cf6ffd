// The script of a single-file page, with only the kinds of its figures.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { root } from '../root.mjs';
import { encodingTitles } from '../site/encoding-titles.mjs';
import { formulas } from '../site/formulas.mjs';
import { shippedEncodings } from '../site/shipped-encodings.mjs';
import { starterVectors } from '../site/starter-vectors.mjs';
import { ownWasm, workerSource } from '../site/worker-source.mjs';

/** @import { Plugin } from 'vite' */
/** @import { Modules } from '../book/web-modules.mjs' */
/** @import { WorkerName } from '../site/worker-source.mjs' */

/** A generated module. @param {string} name @param {() => string | Promise<string>} code @returns {Plugin} */
const virtual = (name, code) => ({
  name: `phasor-${name}`,
  enforce: 'pre',
  resolveId: (source) => (source === name ? `\0${name}` : undefined),
  load: async (id) => (id === `\0${name}` ? code() : undefined),
});

/** A generated module that exports a string. @param {string} name @param {() => string | Promise<string>} text */
const virtualText = (name, text) => virtual(name, async () => `export default ${JSON.stringify(await text())};`);

/** 'virtual:kinds': these kinds as a list. @param {string[]} ids */
const virtualKinds = (ids) =>
  virtual('virtual:kinds', () => {
    const imports = ids.map(
      (id, index) => `import { kind as kind${index} } from ${JSON.stringify(join(root, `web/figure/kinds/${id}/index.ts`))};`,
    );
    return `${imports.join('\n')}\nexport default [${ids.map((_, index) => `kind${index}`).join(', ')}];`;
  });

/** 'virtual:trainer': the trainer, or an empty module. @param {boolean} trains */
const virtualTrainer = (trains) =>
  virtual('virtual:trainer', () =>
    trains
      ? `export { createTrainer as default } from ${JSON.stringify(join(root, 'web/standalone/trainer.ts'))};`
      : 'export default undefined;',
  );

/** 'virtual:language-model': the functions that open language models, or an empty module. @param {boolean} hasLanguageModel */
const virtualLanguageModel = (hasLanguageModel) =>
  virtual('virtual:language-model', () =>
    hasLanguageModel
      ? `import { corpus, openLanguageModel } from ${JSON.stringify(join(root, 'web/standalone/language-model.ts'))};\nexport default { corpus, openLanguageModel };`
      : 'export default undefined;',
  );

/** Replaces the module of all reference programs with one of these files in public/reference. @param {string[]} files @returns {Plugin} */
const theseReferences = (files) => ({
  name: 'phasor-these-references',
  enforce: 'pre',
  load(id) {
    if (!id.endsWith('/web/figure/export/reference-texts.ts')) return undefined;
    const texts = files.map((file) => [file, readFileSync(join(root, 'public/reference', file), 'utf8')]);
    return `export const referenceTexts = ${JSON.stringify(Object.fromEntries(texts))};`;
  },
});

/**
 * Whether any of these kinds trains models; those of a language model only measure it step by step.
 * @param {string[]} ids
 * @param {Modules['kinds']} kinds
 */
export const trainsAny = (ids, kinds) => ids.some((id) => kinds[id]?.trainable !== undefined && !kinds[id]?.showsLanguageModel);

/** The WebAssembly of a page: with training only if a figure trains. @param {boolean} trains */
export const engineOf = (trains) => readFileSync(join(root, `build/wasm/phasor${trains ? '-nn' : ''}.wasm`));

/** @type {Map<WorkerName, Promise<string>>} */
const workers = new Map();
/** The source of a worker, bundled once for all pages. @param {WorkerName} name */
const sameWorker = (name) => {
  const made = workers.get(name) ?? workerSource(name);
  workers.set(name, made);
  return made;
};

const photographs = () => `data:application/json;base64,${readFileSync(join(root, 'public/data/photographs.json')).toString('base64')}`;

/**
 * Builds the script of a page, one classic script.
 * @param {{ kinds: string[], trains: boolean, hasLanguageModel?: boolean, texts: string[], frequent: number, references?: string[] }} page the kinds of
 *   its figures, whether one of them trains, whether the page has a language model, sentences whose words need vectors, the number of further frequent
 *   words, and the reference programs that they export (default: all)
 */
export async function programOf({ kinds, trains, hasLanguageModel = false, texts, frequent, references }) {
  const result = await build({
    configFile: false,
    publicDir: false,
    root,
    logLevel: 'error',
    plugins: [
      virtualKinds(kinds),
      virtualTrainer(trains),
      virtualLanguageModel(hasLanguageModel),
      virtualText('#worker-source', () => sameWorker('worker')),
      virtualText('#model-worker-source', () => sameWorker('model-worker')),
      virtualText('#tokenizer-worker-source', () => sameWorker('tokenizer-worker')),
      virtualText('virtual:photographs', () => (kinds.includes('patches') ? photographs() : '')),
      ownWasm(),
      encodingTitles(),
      shippedEncodings(),
      starterVectors({ texts, frequent }),
      formulas(),
      ...(references ? [theseReferences(references)] : []),
    ],
    build: {
      write: false,
      target: 'es2022',
      rollupOptions: { output: { codeSplitting: false } },
      lib: { entry: join(root, 'web/standalone/live.ts'), formats: ['iife'], name: 'phasorPage', fileName: 'page' },
    },
  });
  const files = /** @type {import('rolldown').RolldownOutput} */ ([result].flat()[0]).output;
  if (files.length !== 1)
    throw new Error(`the script of a page has ${files.length} files; expected one: ${files.map(({ fileName }) => fileName).join(', ')}`);
  return files[0].code;
}
