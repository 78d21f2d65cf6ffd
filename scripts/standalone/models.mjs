// Trained models in the single-file book: those that its figures show, and their index. A character model takes 260 kB, a learned table 40 kB, and
// BERT's table 480 kB. Demos contain none of them, because their files are limited to 600 kB.
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { root } from '../root.mjs';
import { packed } from './pack.mjs';

const FOLDER = join(root, 'public/models');
/** BERT's position table (web/figure/compute/learned-rows.ts). */
const BERT = 'minilm/minilm-positions-512x384.f16';

/** The files of the shipped language model (web/figure/runtime/shipped-language-model.ts). */
const LANGUAGE_MODEL = ['config.json', 'tokenizer.json', 'model.safetensors'];

/** The language model as blocks, 3 MB, with the WebAssembly that runs it and the novel that it reads (web/standalone/language-model.ts). */
export const languageModelBlocks = () => [
  packed('model-engine', readFileSync(join(root, 'build/wasm/phasor-model.wasm'))),
  packed('novel', readFileSync(join(root, 'public/data/pride-and-prejudice.txt'))),
  ...LANGUAGE_MODEL.map((file) => packed(file, readFileSync(join(FOLDER, 'austen', file)))),
];

/** @import { GivenFigure } from '../book/figures.mjs' */
/** @import { BookMeans, Modules } from '../book/web-modules.mjs' */

/**
 * Whether a figure of the kind `inside` shows this model. There is one learned table for each geometry task.
 * @param {ReturnType<Modules['readSpec']>} spec
 * @param {{ id: string }} model
 */
function isShown({ encoding, show }, model) {
  const { id } = /** @type {{ id: string }} */ (encoding);
  const isTable = show === 'table' && id === 'learned';
  return isTable ? /^geometry_.*-learned$/.test(model.id) : model.id === `text-${id}`;
}

/**
 * @param {Pick<GivenFigure, 'kind' | 'fields'>[]} figures of the page
 * @param {Pick<BookMeans, 'modules'>} means
 * @returns {string[]} blocks for the page (web/standalone/live.ts); empty if no figure shows a trained model
 */
export function modelBlocks(figures, { modules }) {
  const { inside } = modules.kinds;
  const specs = figures.flatMap(({ kind, fields }) => (inside && kind === inside.id ? [modules.readSpec(inside, fields)] : []));
  // If a figure shows BERT's table, buttons of other learned tables can show it, too.
  const tables = figures.some(({ fields: { rows } }) => rows === 'bert') ? [BERT] : [];
  if (specs.length + tables.length === 0) return [];
  /** @type {{ models: { id: string, file: string }[] }} */
  const index = JSON.parse(readFileSync(join(FOLDER, 'index.json'), 'utf8'));
  const models = index.models.filter((model) => specs.some((spec) => isShown(spec, model)));
  return [
    packed('index.json', JSON.stringify({ ...index, models })),
    ...[...models.map(({ file }) => file), ...tables].map((file) => packed(basename(file), readFileSync(join(FOLDER, file)))),
  ];
}
