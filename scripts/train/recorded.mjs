// `npm run recorded`: trains natively what the figure `race` shows before a reader trains it (three seeds of each of its lines), and writes its
// recording. What a trainer makes of each spec is read from the package, which `node scripts/build.mjs npm` builds.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../root.mjs';
import { buildProgram, runProgram } from './program.mjs';

const SEEDS = 3;
/** Points of a curve. */
const POINTS = 20;
const TASKS = ['order', 'copy'];
/** Lines by their names in links: the words of the command, and the same as fields of a trainer. */
const LINES = {
  none: { encoding: 'none' },
  none_causal: { encoding: 'none', causal: true },
  alibi: { encoding: 'alibi' },
  learned: { encoding: 'learned' },
  sinusoidal: { encoding: 'sinusoidal' },
  t5: { encoding: 't5' },
  rope: { encoding: 'rope' },
};

const short = (value) => Number(value.toPrecision(4));
const folder = join(root, 'build/recorded');
mkdirSync(folder, { recursive: true });
const program = await buildProgram();
const { createTrainer } = await import(join(root, 'dist/npm/train.node.js'));

const recorded = {};
for (const task of TASKS) {
  const base = await createTrainer({ task });
  const { encoding: _, seed: __, ...spec } = base.spec;
  base.dispose();
  const every = spec.steps / POINTS;
  const lines = {};
  let chance = 0;
  for (const [id, { encoding, causal }] of Object.entries(LINES)) {
    const words = [task, '--encoding', encoding, ...(causal ? ['--causal', 'true'] : [])];
    const file = join(folder, `${task}-${id}.json`);
    const code = await runProgram(program, [...words, '--seeds', String(SEEDS), '--every', String(every), '--out', file], {
      cwd: root,
      stdio: 'ignore',
    });
    if (code !== 0) throw new Error(`phasor_train ${words.join(' ')} ended with ${code}`);
    const report = JSON.parse(readFileSync(file, 'utf8'));
    ({ chance } = report);
    const trainer = await createTrainer({ task, encoding, ...(causal ? { causal } : {}) });
    lines[id] = {
      encoding: trainer.spec.encoding,
      causal: trainer.spec.causal,
      score: report.runs.map(({ curve }) => curve.map(({ score }) => short(score))),
      loss: report.runs.map(({ curve }) => curve.map(({ loss }) => short(loss))),
    };
    trainer.dispose();
    console.log(`${task} ${id}`);
  }
  recorded[task] = { command: `npm run train -- ${task} --encoding ID --seeds ${SEEDS} --every ${every}`, chance, every, spec, lines };
}
writeFileSync(join(root, 'web/figure/kinds/race/recorded.json'), `${JSON.stringify(recorded)}\n`);
