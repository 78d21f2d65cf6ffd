// Records the figure `circuit`: loss, previous-token score and prefix-matching score of the task `induction` over the steps, with each encoding that
// has a model.
import { entryOf } from './entry-of.mjs';
import { short } from './record-report.mjs';

/** The number of points of a curve. */
const POINTS = 40;
/** As in web/figure/kinds/circuit/compute.ts. */
const ENCODINGS = ['none', 'rope', 'alibi'];
/** @import { CreateTrainer } from './engines.mjs' */

/** @param {{ createTrainer: CreateTrainer }} means */
export async function recordCircuit({ createTrainer }) {
  const base = await createTrainer({ task: 'induction' });
  const { encoding: _, seed: __, ...spec } = base.config;
  base.dispose();
  const every = spec.steps / POINTS;
  /** @type {Record<string, { encoding: unknown, loss: number[], previous: number[], matching: number[] }>} */
  const lines = {};
  for (const id of ENCODINGS) {
    const trainer = await createTrainer({ task: 'induction', encoding: { id }, seed: 1 });
    /** @type {{ loss: number[], previous: number[], matching: number[] }} */
    const curves = { loss: [], previous: [], matching: [] };
    for (let point = 0; point < POINTS; point++) {
      curves.loss.push(short((await trainer.step(every)).loss));
      const { metrics } = await trainer.evaluate({ numSamples: 1 });
      curves.previous.push(short(entryOf(metrics, 'previous_token')));
      curves.matching.push(short(entryOf(metrics, 'prefix_matching')));
    }
    lines[id] = { encoding: trainer.config.encoding, ...curves };
    trainer.dispose();
    console.log(`circuit ${id}`);
  }
  return { command: 'npm run record -- circuit', every, spec, lines };
}
