// Trained models inside the book in one file: those that its figures show, and the index of these. A model of characters is 260 kB of it, one of a
// learned table 40; demos have none, because their files are 600 kB at most.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../root.mjs';
import { packed } from './pack.mjs';

const FOLDER = join(root, 'public/models');

/** What a figure of the kind `inside` reads; of learned tables there is one for each of its tasks. */
function isShown({ encoding: { id }, show }, model) {
  const isTable = show === 'table' && id === 'learned';
  return isTable ? /^geometry_.*-learned$/.test(model.id) : model.id === `text-${id}`;
}

/**
 * @param {{ kind: string, fields: object }[]} figures of the page
 * @returns {string[]} blocks for the page (web/offline/models.ts); none where no figure shows a trained model
 */
export function modelBlocks(figures, { modules }) {
  const specs = figures.filter(({ kind }) => kind === 'inside').map(({ kind, fields }) => modules.readSpec(modules.kinds[kind], fields));
  if (specs.length === 0) return [];
  const index = JSON.parse(readFileSync(join(FOLDER, 'index.json'), 'utf8'));
  const models = index.models.filter((model) => specs.some((spec) => isShown(spec, model)));
  return [
    packed('index.json', JSON.stringify({ ...index, models })),
    ...models.map(({ file }) => packed(file, readFileSync(join(FOLDER, file)))),
  ];
}
