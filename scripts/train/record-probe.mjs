// Records the figure `probe` (E5 of docs/experiments.md). For each n a separate probe predicts positions among the first n tokens: states of causal
// layers do not depend on later tokens, so texts of n tokens suffice. The script uses the trainer of the package, because the native program does
// not evaluate weights at other lengths.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../root.mjs';
import { entryOf } from './entry-of.mjs';
import { short } from './record-report.mjs';

const SEEDS = [1, 2, 3];
const LENGTHS = [8, 16, 32, 64];
/** @import { ResolvedTrainConfig, TrainConfig } from '../../web/engine/index.ts' */
/** @import { CreateTrainer, Engines } from './engines.mjs' */

/** Models without an encoding. */
const MODELS = {
  trained: { causal: true, isTrained: true },
  untrained: { causal: true, isTrained: false },
  unmasked: { causal: false, isTrained: false },
};

/**
 * The mean absolute error of a probe of each layer, at each length: [length][layer].
 * @param {CreateTrainer} createTrainer
 * @param {TrainConfig} spec
 * @param {Uint8Array} weights
 * @param {number} layers
 */
async function errorsOf(createTrainer, spec, weights, layers) {
  const errors = [];
  const chance = [];
  for (const length of LENGTHS) {
    const shorter = await createTrainer({ ...spec, sequenceLength: length });
    await shorter.loadWeights(weights);
    const { metrics } = await shorter.evaluate({ numSamples: 1 });
    chance.push(short(entryOf(metrics, 'probe_chance')));
    errors.push(Array.from({ length: layers + 1 }, (_, layer) => short(entryOf(metrics, `probe_error_layer_${layer}`))));
    shorter.dispose();
  }
  return { errors, chance };
}

/** @param {Pick<Engines, 'createTrainer'>} engines */
export async function recordProbe({ createTrainer }) {
  const corpus = readFileSync(join(root, 'public/data/pride-and-prejudice.txt'), 'utf8');
  /** @type {Record<string, { causal: boolean, errors: number[][][] }>} */
  const models = {};
  /** @type {Omit<ResolvedTrainConfig, 'seed' | 'causal'> | undefined} */
  let spec;
  /** @type {number[]} */
  let chance = [];
  for (const [id, { causal, isTrained }] of Object.entries(MODELS)) {
    const model = { causal, errors: /** @type {number[][][]} */ ([]) };
    models[id] = model;
    for (const seed of SEEDS) {
      const provided = { task: 'probe', corpus, causal, seed };
      const trainer = await createTrainer(provided);
      const { seed: _, causal: __, ...rest } = trainer.config;
      spec ??= rest;
      if (isTrained) await trainer.step(trainer.config.steps);
      const weights = await trainer.saveWeights();
      trainer.dispose();
      const found = await errorsOf(createTrainer, provided, weights, rest.layers);
      ({ chance } = found);
      model.errors.push(found.errors);
      console.log(`probe ${id}, seed ${seed}`);
    }
  }
  return { command: 'npm run record -- probe', lengths: LENGTHS, chance, spec, models };
}
