// Records the losses of the figure `unseen`: the RoPE models of E2b, with three seeds, evaluated on passages of up to eight times their training
// length by each method, as in E6.
import { short } from './record-report.mjs';
import { METHODS, PASSAGES, reportStretched } from './stretched.mjs';

const LENGTHS = [64, 128, 256, 512];
const SEEDS = 3;

/** @param {import('./engines.mjs').Engines & { program: string }} means */
export async function recordUnseen({ program, ...engines }) {
  /** @type {Record<string, number[]>} */
  const loss = {};
  /** @type {Record<string, number[]>} */
  const deviation = {};
  let chance = 0;
  for (const [id] of METHODS) {
    const report = await reportStretched(program, engines, { method: id }, LENGTHS, SEEDS);
    const means = report.lengths.map(({ mean }) => short(mean));
    loss[id] = means;
    deviation[id] = report.lengths.map((one) => short(one.deviation));
    ({ chance } = report);
    console.log(`unseen ${id}: ${means.join(', ')}`);
  }
  return {
    command: 'npm run record -- unseen',
    seeds: SEEDS,
    trained: LENGTHS[0],
    passages: PASSAGES,
    chance,
    lengths: LENGTHS,
    loss,
    deviation,
  };
}
