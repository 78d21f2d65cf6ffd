// The engine and the trainer of the package, which `node scripts/build.mjs npm` builds.
import { join } from 'node:path';
import { root } from '../root.mjs';

/** @import { Phasor } from '../../web/engine/index.ts' */

/** @typedef {typeof import('../../web/engine/train.node.ts').createTrainer} CreateTrainer */
/** @typedef {{ createTrainer: CreateTrainer, phasor: Phasor }} Engines */

/** @returns {Promise<Engines>} */
export async function builtEngines() {
  /** @type {{ createTrainer: CreateTrainer }} */
  const { createTrainer } = await import(join(root, 'dist/npm/train.node.js'));
  /** @type {typeof import('../../web/engine/node.ts')} */
  const { createPhasor } = await import(join(root, 'dist/npm/node.js'));
  return { createTrainer, phasor: await createPhasor() };
}
