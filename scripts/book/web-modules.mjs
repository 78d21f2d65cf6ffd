// Loads the sources in web/ with which the book is built, bundled by Vite for Node.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { contentDigest } from '../digest.mjs';
import { root } from '../root.mjs';
import { codeMaker } from './code.mjs';
import { coreValues } from './core-values.mjs';
import { figureMaker } from './figures.mjs';
import { reachedDigest, webBundle } from './web-bundle.mjs';

/** @import { Phasor } from '../../web/engine/index.ts' */
/** @import { DataFiles } from '../../web/book/node.ts' */
/** @import { Bundle } from './web-bundle.mjs' */

/** @typedef {typeof import('../../web/book/node.ts')} Modules */
/** @typedef {ReturnType<typeof meansOfBook>} BookMeans */

const CORE = 'build/wasm/phasor.wasm';
const TRAINER = 'build/wasm/phasor-nn.wasm';
const MODEL = 'build/wasm/phasor-model.wasm';
const data = join(root, 'public/data');

/**
 * The files of public, read from disk.
 * @type {DataFiles}
 */
export const dataFiles = {
  words: join(data, 'word-vectors.json'),
  rows: join(data, 'word-vectors-64.i8'),
  photographs: join(data, 'photographs.json'),
  novel: join(data, 'pride-and-prejudice.txt'),
  models: pathToFileURL(join(root, 'public/models/')),
  trainer: join(root, TRAINER),
  model: join(root, MODEL),
  get: async (path) => new Response(await readFile(path)),
};

const ENTRY = 'web/book/node.ts';
/** The modules that draw figures, and the files that they compute with. The index of models contains a digest of each model. */
const DRAWING = ['web/book/still.ts', 'web/book/axes.ts', 'web/book/gallery/tile.ts'];
const COMPUTED_WITH = [CORE, TRAINER, MODEL, 'public/data', 'public/models/index.json', 'public/models/austen', 'public/models/minilm'];
/** A kind of figure. No kind imports another one (tests/web/layering.test.ts). */
const KIND = /^web\/figure\/kinds\/[\w-]+\/index\.ts$/;

/**
 * Digests of everything that the figures of a kind depend on: data, and the modules that draw them without those of other kinds.
 * @param {Bundle} bundle
 * @returns {(kind: string) => string}
 */
export function seedsOf(bundle) {
  const computedWith = contentDigest(COMPUTED_WITH);
  /** @type {Map<string, string>} */
  const known = new Map();
  return (kind) => {
    const starts = [...DRAWING, `web/figure/kinds/${kind}/index.ts`];
    const seed = known.get(kind) ?? `${computedWith} ${reachedDigest(bundle, starts, (id) => KIND.test(id))}`;
    known.set(kind, seed);
    return seed;
  };
}

/** The bundle of web/book/node.ts. */
export const bookBundle = () => webBundle(ENTRY);

/**
 * The tools with which chapters are built.
 * @param {Modules} modules
 * @param {Phasor} phasor an engine on this thread
 * @param {Bundle} bundle of `modules`
 * @param {{ figure: string, below: string }} style the style sheets of figures
 */
export function meansOfBook(modules, phasor, bundle, style) {
  const means = modules.createContext(phasor, dataFiles);
  return {
    modules,
    phasor,
    context: means,
    style,
    core: coreValues(modules, phasor, means),
    ...figureMaker(modules, means, seedsOf(bundle)),
    code: codeMaker(),
  };
}

/** @type {Promise<BookMeans> | undefined} */
let loading;
export function loadMeans() {
  loading ??= (async () => {
    const bundle = await bookBundle();
    const { file } = await webBundle('web/package/figure-style.ts', { hasSheets: true });
    /** @type {Modules} */
    const modules = await import(join(root, bundle.file));
    /** @type {typeof import('../../web/package/figure-style.ts')} */
    const { FIGURE_STYLE, BELOW_STYLE } = await import(join(root, file));
    const phasor = await modules.createPhasor({ variant: 'simd', wasm: await readFile(join(root, CORE)) });
    return meansOfBook(modules, phasor, bundle, { figure: FIGURE_STYLE, below: BELOW_STYLE });
  })();
  return loading;
}
