// `npm run recorded [-- race length copy ...]`: trains natively what the figures `race` and `length` show before a reader trains them (three seeds of
// each of their lines), and writes their recordings. What a trainer makes of each spec is read from the package, which `node scripts/build.mjs npm`
// builds. Names of tasks leave the others as they were recorded.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../root.mjs';
import { buildProgram } from './program.mjs';
import { TASKS as LENGTH_TASKS, recordLength } from './recorded-length.mjs';
import { TASKS as RACE_TASKS, recordRace } from './recorded-race.mjs';

/** Figures by their kinds: their tasks, and how one is recorded. */
const FIGURES = {
  race: { tasks: RACE_TASKS, record: recordRace },
  length: { tasks: Object.keys(LENGTH_TASKS), record: recordLength },
};

const words = process.argv.slice(2);
const known = [...Object.keys(FIGURES), ...Object.values(FIGURES).flatMap(({ tasks }) => tasks)];
const unknown = words.find((word) => !known.includes(word));
if (unknown !== undefined) {
  console.error(`${unknown} is not recorded. Usage: npm run recorded [-- KIND or TASK ...]; there are ${[...new Set(known)].join(', ')}`);
  process.exit(2);
}
const kinds = Object.keys(FIGURES).filter((kind) => !words.some((word) => word in FIGURES) || words.includes(kind));
const wants = (task) => words.every((word) => word in FIGURES) || words.includes(task);

const program = await buildProgram();
const { createTrainer } = await import(join(root, 'dist/npm/train.node.js'));
for (const kind of kinds) {
  const { tasks, record } = FIGURES[kind];
  const file = join(root, `web/figure/kinds/${kind}/recorded.json`);
  const before = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  for (const task of tasks.filter(wants)) {
    before[task] = await record(program, createTrainer, task);
    const inOrder = Object.fromEntries(tasks.filter((one) => before[one]).map((one) => [one, before[one]]));
    // After each one, so that what is done stays done.
    writeFileSync(file, `${JSON.stringify(inOrder)}\n`);
  }
}
