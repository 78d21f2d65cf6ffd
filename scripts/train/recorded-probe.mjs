// `node scripts/train/recorded-probe.mjs`: what the figure `probe` shows before a reader trains it (E5 of docs/experiments.md). Positions among the first n tokens are
// guessed by a probe of their own: what causal layers keep of a token does not depend on those after it, so texts of n tokens are enough for that.
// The trainer is that of the package, which `node scripts/build.mjs npm` builds.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../root.mjs';

const SEEDS = [1, 2, 3];
const LENGTHS = [8, 16, 32, 64];
/** Models without an encoding. */
const MODELS = {
  trained: { causal: true, isTrained: true },
  untrained: { causal: true, isTrained: false },
  unmasked: { causal: false, isTrained: false },
};

const { createTrainer } = await import(join(root, 'dist/npm/train.node.js'));
const corpus = readFileSync(join(root, 'public/data/pride-and-prejudice.txt'), 'utf8');
const short = (value) => Number(value.toPrecision(4));

const models = {};
/** @type {any} */
let spec;
/** @type {number[]} */
let chance = [];
for (const [id, { causal, isTrained }] of Object.entries(MODELS)) {
  models[id] = { causal, errors: [] };
  for (const seed of SEEDS) {
    const trainer = await createTrainer({ task: 'probe', corpus, causal, seed });
    const { seed: _, causal: __, ...rest } = trainer.spec;
    spec ??= rest;
    if (isTrained) await trainer.step(trainer.spec.steps);
    const weights = await trainer.saveWeights();
    trainer.dispose();
    // [length][layer]
    const errors = [];
    chance = [];
    for (const length of LENGTHS) {
      const shorter = await createTrainer({ task: 'probe', corpus, causal, seed, length });
      await shorter.loadWeights(weights);
      const { observed } = await shorter.evaluate({ items: 1 });
      const layers = Array.from({ length: rest.layers + 1 }, (_, layer) => short(observed[`probe_error_layer_${layer}`]));
      chance.push(short(observed.probe_chance));
      errors.push(layers);
      shorter.dispose();
    }
    models[id].errors.push(errors);
    console.log(`${id}, seed ${seed}: ${errors.at(-1)} of ${chance.at(-1)}`);
  }
}
const recorded = { command: 'node scripts/train/recorded-probe.mjs', lengths: LENGTHS, chance, spec, models };
writeFileSync(join(root, 'web/figure/kinds/probe/recorded.json'), `${JSON.stringify(recorded)}\n`);
