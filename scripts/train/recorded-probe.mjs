// What the figure `probe` shows before a reader trains it (E5 of docs/experiments.md). Positions among the first n tokens are guessed by a probe of
// their own: what causal layers keep of a token does not depend on those after it, so texts of n tokens are enough for that. The trainer is that of
// the package: the program does not read other lengths with the weights that it has trained.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../root.mjs';
import { short } from './recorded-report.mjs';

const SEEDS = [1, 2, 3];
const LENGTHS = [8, 16, 32, 64];
/** Models without an encoding. */
const MODELS = {
  trained: { causal: true, isTrained: true },
  untrained: { causal: true, isTrained: false },
  unmasked: { causal: false, isTrained: false },
};

/** How far off a probe of each layer is, at each length: [length][layer]. */
async function errorsOf(createTrainer, spec, weights, layers) {
  const errors = [];
  const chance = [];
  for (const length of LENGTHS) {
    const shorter = await createTrainer({ ...spec, length });
    await shorter.loadWeights(weights);
    const { observed } = await shorter.evaluate({ items: 1 });
    chance.push(short(observed.probe_chance));
    errors.push(Array.from({ length: layers + 1 }, (_, layer) => short(observed[`probe_error_layer_${layer}`])));
    shorter.dispose();
  }
  return { errors, chance };
}

export async function recordProbe({ createTrainer }) {
  const corpus = readFileSync(join(root, 'public/data/pride-and-prejudice.txt'), 'utf8');
  const models = {};
  /** @type {any} */
  let spec;
  /** @type {number[]} */
  let chance = [];
  for (const [id, { causal, isTrained }] of Object.entries(MODELS)) {
    models[id] = { causal, errors: [] };
    for (const seed of SEEDS) {
      const given = { task: 'probe', corpus, causal, seed };
      const trainer = await createTrainer(given);
      const { seed: _, causal: __, ...rest } = trainer.spec;
      spec ??= rest;
      if (isTrained) await trainer.step(trainer.spec.steps);
      const weights = await trainer.saveWeights();
      trainer.dispose();
      const found = await errorsOf(createTrainer, given, weights, rest.layers);
      ({ chance } = found);
      models[id].errors.push(found.errors);
      console.log(`probe ${id}, seed ${seed}`);
    }
  }
  return { command: 'npm run recorded -- probe', lengths: LENGTHS, chance, spec, models };
}
