// The index of the trained models, for figures that load it from outside the folder of the models.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../root.mjs';

/** @param {string} folder of the models, relative to the index */
export const modelIndex = (folder) =>
  JSON.stringify({ folder, ...JSON.parse(readFileSync(join(root, 'public/models/index.json'), 'utf8')) });
