// Records the figure `circuit`: loss, previous-token score and prefix-matching score of the task `induction` over the steps, for each encoding that
// has a model and for three seeds. For seed 1, it also records the view of the model at each point, for the words of the first picture.
import { join } from 'node:path';
import { runnerImport } from 'vite';
import { root } from '../root.mjs';
import { entryOf } from './entry-of.mjs';
import { idOf, modelsOf } from './model-list.mjs';
import { SEEDS, short } from './record-report.mjs';

/** The number of points of a curve. */
const POINTS = 40;
/** The encodings of web/figure/kinds/circuit/compute.ts, with the parameters of their shipped models. */
const ENCODINGS = ['none', 'rope', 'alibi', 'learned'];
/** "to be or not to" as symbols. */
const TOKENS = [0, 1, 2, 3, 0];

/** @import { AnyEncoding, Engines } from './engines.mjs' */
/** @import { ModelView } from '../../web/figure/kinds/circuit/model.ts' */
/** @typedef {{ loss: number[], previous: number[], matching: number[] }} Curves */

/** Values in percent, as integers, because a view has 200 weights. @param {Iterable<number>} values */
const percents = (values) => Array.from(values, (value) => Math.round(100 * value));

/** @param {ModelView} view */
const written = ({ probabilities, accuracy, previous, matching, maps, composition }) => ({
  probabilities: percents(probabilities),
  accuracy: short(accuracy),
  previous: previous.map(short),
  matching: matching.map(short),
  maps: percents(maps.data),
  composition: percents(composition.data),
});

/** @param {Engines} means */
export async function recordCircuit({ createTrainer, phasor }) {
  /** @type {{ module: typeof import('../../web/figure/kinds/circuit/model.ts') }} */
  const { module } = await runnerImport(join(root, 'web/figure/kinds/circuit/model.ts'), { configFile: false });
  const base = await createTrainer({ task: 'induction' });
  const { encoding: _, seed: __, ...spec } = base.config;
  base.dispose();
  const every = spec.steps / POINTS;
  /** @type {Record<string, { encoding: unknown, seeds: Curves[], views: ReturnType<typeof written>[] }>} */
  const lines = {};
  const encodings = Object.fromEntries(modelsOf([]).map((model) => [idOf(model), /** @type {AnyEncoding} */ (model.spec.encoding)]));
  for (const id of ENCODINGS) {
    /** @type {Curves[]} */
    const seeds = [];
    /** @type {ReturnType<typeof written>[]} */
    const views = [];
    /** @type {unknown} */
    let encoding;
    for (let seed = 1; seed <= SEEDS; seed++) {
      const trainer = await createTrainer({ task: 'induction', encoding: entryOf(encodings, `induction-${id}`), seed });
      /** @type {Curves} */
      const curves = { loss: [], previous: [], matching: [] };
      for (let point = 0; point < POINTS; point++) {
        curves.loss.push(short((await trainer.step(every)).loss));
        const { metrics } = await trainer.evaluate({ numSamples: 1 });
        curves.previous.push(short(entryOf(metrics, 'previous_token')));
        curves.matching.push(short(entryOf(metrics, 'prefix_matching')));
        if (seed === 1) views.push(written(await module.measureModel(trainer, trainer.globalStep, TOKENS, /** @type {any} */ (phasor))));
      }
      ({ encoding } = trainer.config);
      seeds.push(curves);
      trainer.dispose();
      console.log(`circuit ${id}, seed ${seed}`);
    }
    lines[id] = { encoding, seeds, views };
  }
  return { command: 'npm run record -- circuit', every, spec, lines };
}
