// The index of the trained models for figures whose index is not in the folder of the models.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../root.mjs';

/**
 * The text of the index.
 * @param {string} folder of the models, relative to the index
 */
export const modelIndex = (folder) =>
  JSON.stringify({ folder, ...JSON.parse(readFileSync(join(root, 'public/models/index.json'), 'utf8')) });
