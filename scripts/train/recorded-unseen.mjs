// What the figure `unseen` shows of losses: the models of RoPE of E2b, from three seeds, read passages of up to eight times their trained length by each
// method, as in E6.
import { short } from './recorded-report.mjs';
import { METHODS, PASSAGES, reportStretched } from './stretched.mjs';

const LENGTHS = [64, 128, 256, 512];
const SEEDS = 3;

export async function recordUnseen({ program, ...engines }) {
  const loss = {};
  const deviation = {};
  let chance = 0;
  for (const [id] of METHODS) {
    const report = await reportStretched(program, engines, { method: id }, LENGTHS, SEEDS);
    loss[id] = report.lengths.map(({ mean }) => short(mean));
    deviation[id] = report.lengths.map((one) => short(one.deviation));
    ({ chance } = report);
    console.log(`unseen ${id}: ${loss[id].join(', ')}`);
  }
  return {
    command: 'npm run recorded -- unseen',
    seeds: SEEDS,
    trained: LENGTHS[0],
    passages: PASSAGES,
    chance,
    lengths: LENGTHS,
    loss,
    deviation,
  };
}
