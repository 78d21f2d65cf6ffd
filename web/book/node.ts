// Exports for the book's build in Node: the core, the kinds of figures and the encoding descriptions.

import { formatNumber } from '../charts/number.ts';
import { encodingDescriptions } from '../encodings/description.ts';
import * as analysis from '../engine/analysis.ts';
import { methods } from '../engine/call/methods.ts';
import { diagnoseWith } from '../engine/doctor/diagnose.ts';
import { FAULTS } from '../engine/doctor/faults.ts';
import type { EncodingInfo, Phasor } from '../engine/index.ts';
import { inspectModel, openModel } from '../engine/model.node.ts';
import { createPhasor } from '../engine/node.ts';
import { createTrainer } from '../engine/train.node.ts';
import { EXAMPLE_SENTENCE } from '../figure/compute/sentence-fields.ts';
import { kinds } from '../figure/contract/all-kinds.ts';
import { isField } from '../figure/contract/attributes.ts';
import type { LanguageModel } from '../figure/contract/context.ts';
import type { KindContext } from '../figure/contract/kind.ts';
import { matchesFilter } from '../figure/contract/offered.ts';
import type { ReferencePlacement } from '../figure/contract/placement.ts';
import { parseKindId } from '../figure/contract/registry.ts';
import { readSpec, SpecError, toCamelCase } from '../figure/contract/spec.ts';
import { STRINGS } from '../figure/contract/strings.ts';
import { INJECTION_GROUPS } from '../figure/controls/injection-groups.ts';
import { findImportedReferences, REFERENCE_FILES } from '../figure/export/reference-files.ts';
import { MODELS } from '../figure/kinds/layers/models.ts';
import { createCorpusLoader } from '../figure/runtime/data-files.ts';
import { createLanguageModelOpener } from '../figure/runtime/open-language-model.ts';
import { PhotographFile } from '../figure/runtime/photographs.ts';
import { toAsyncEngine } from '../figure/runtime/promised-engine.ts';
import { fetchShippedFiles, SHIPPED_MODEL_NAME } from '../figure/runtime/shipped-language-model.ts';
import { ShippedModels } from '../figure/runtime/shipped-models.ts';
import { QUESTIONS } from '../lab/questions/questions.ts';
import { STORY_STRINGS } from '../lab/story-strings.ts';
import { renderShadowRoot } from '../package/figure-tag.ts';
import { embedWords } from '../sentence/embedding.ts';
import type { FileFetcher } from '../sentence/get-file.ts';
import { tokenize } from '../sentence/tokens.ts';
import { VECTOR_DIM, WordVectors } from '../sentence/word-vectors.ts';
import { openTokenizer } from '../tokenizer/async-tokenizer.ts';
import { findAxes } from './axes.ts';
import { findSymbol, parseFormula } from './formula-parts.ts';
import { groupKinds, listMainControls } from './gallery/kind-pages.ts';
import { drawTile } from './gallery/tile.ts';
import { createLabLink, isInLab } from './lab-link.ts';
import { drawLabPicture } from './lab-picture.ts';
import { buildAtlas } from './models/atlas.ts';
import { generatePositionProgram } from './models/position-program.ts';
import { drawStrip, selectDistinctMarks } from './models/strip.ts';
import { INDEX_OPTIONS } from './search-terms.ts';
import { drawStill } from './still.ts';
import { drawPosterSvgs, POSTERS } from './wall/wall.ts';

export {
  buildAtlas as atlasOf,
  createLabLink as labLink,
  createPhasor,
  drawLabPicture as labPicture,
  drawPosterSvgs as posterSvgs,
  drawStill as stillOf,
  drawStrip as stripSvg,
  drawTile as tileOf,
  EXAMPLE_SENTENCE,
  encodingDescriptions,
  FAULTS,
  findAxes as axesOf,
  findImportedReferences as importedReferences,
  findSymbol as symbolIn,
  formatNumber,
  generatePositionProgram as positionProgram,
  groupKinds as kindGroups,
  INDEX_OPTIONS as INDEX,
  INJECTION_GROUPS,
  isField,
  isInLab,
  kinds,
  listMainControls as mainControls,
  MODELS,
  matchesFilter as offers,
  POSTERS as WALL,
  parseFormula as formulaTree,
  QUESTIONS,
  readSpec,
  renderShadowRoot as shadowRoot,
  SpecError,
  STORY_STRINGS,
  STRINGS,
  selectDistinctMarks as kindsOf,
  toCamelCase,
};

/** Returns the `reference` placement of each kind of figure that encoding pages show, read from kinds/<kind>/placement.ts. */
export const collectReferences = (files: {
  readonly [path: string]: { readonly reference?: ReferencePlacement };
}): { readonly [kind: string]: ReferencePlacement } =>
  Object.fromEntries(Object.entries(files).flatMap(([path, { reference }]) => (reference ? [[parseKindId(path), reference]] : [])));

export const references = collectReferences(
  import.meta.glob<{ reference?: ReferencePlacement }>('../figure/kinds/*/placement.ts', { eager: true }),
);

/** The files in public/data, the folder public/models/, and the engines that run its models. */
export interface DataFiles {
  readonly words: string | URL;
  readonly rows: string | URL;
  readonly photographs: string | URL;
  readonly novel: string | URL;
  readonly models: URL;
  readonly trainer: string;
  readonly model: string;
  readonly get: FileFetcher;
}

type Method = (...args: unknown[]) => unknown;

/** Returns an engine's methods and the functions of phasor/analysis, by name. */
export const listMethods = (phasor: Phasor): { readonly [name: string]: Method } =>
  Object.fromEntries([
    ...methods.map((name) => [name, phasor[name] as Method]),
    ...Object.entries(analysis).map(([name, call]) => [name, (call as Method).bind(undefined, phasor)]),
  ]);

/** Opens the shipped language model on the current thread when a figure first needs it. */
function createShippedModelLoader({ models, model: wasm, get }: DataFiles): () => Promise<LanguageModel> {
  const options = { variant: 'simd', wasm } as const;
  const openLanguageModel = createLanguageModelOpener({
    readHeaders: async (files) => ({ info: await inspectModel(files, options), fileBytes: 0 }),
    openModelWorker: (files) => openModel(files, options),
    openTokenizer,
  });
  let pendingModel: Promise<LanguageModel> | undefined;
  return () => {
    pendingModel ??= fetchShippedFiles(models, get).then(async (files) => ({
      ...(await openLanguageModel(files, {}, SHIPPED_MODEL_NAME)),
      key: 1,
    }));
    return pendingModel;
  };
}

export function createContext(phasor: Phasor, files: DataFiles): KindContext {
  const { words, rows, photographs, novel, models, trainer, get } = files;
  const shipped = new ShippedModels(new URL('index.json', models), (spec) => createTrainer(spec, { variant: 'simd', wasm: trainer }), get);
  return {
    engine: toAsyncEngine(phasor),
    diagnose: async (request) => diagnoseWith(phasor, request),
    // Figures show the training button only if `createTrainer` is defined. The build never calls it.
    createTrainer: () => Promise.reject(new Error('run: "live" is not available at build time; expected "recorded"')),
    corpus: createCorpusLoader(novel, get),
    vocabulary: new WordVectors({ index: words, rows }, get),
    photographs: new PhotographFile(photographs, get),
    models: () => Promise.resolve(shipped),
    languageModel: createShippedModelLoader(files),
  };
}

/** Computes the word embeddings that figures use for a sentence: [words, dim]. */
export async function computeEmbeddings(text: string, width: number, { vocabulary, engine }: KindContext) {
  return (await embedWords(tokenize(text), width, vocabulary, engine)).x;
}

export { VECTOR_DIM as VECTOR_WIDTH };

export const readReferenceSource = ({ id }: EncodingInfo): string => REFERENCE_FILES[`${id}.py`] ?? '';
