// `npm run record [-- race extrapolation probe copy ...]`: trains what the figures `race`, `extrapolation`, `probe` and `regression` show before a reader trains them
// (three seeds of each of their lines), has the models of RoPE of three seeds read for `unseen`, and writes their recordings. Curves of losses and scores are trained natively; what is read from weights, and
// what a trainer makes of each spec, is from the WebAssembly. Names of tasks leave the others as they were recorded.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../root.mjs';
import { loadEngines } from './engines.mjs';
import { buildProgram } from './program.mjs';
import { TASKS as LENGTH_TASKS, recordExtrapolation } from './record-extrapolation.mjs';
import { recordProbe } from './record-probe.mjs';
import { TASKS as RACE_TASKS, recordRace } from './record-race.mjs';
import { recordRegression } from './record-regression.mjs';
import { recordUnseen } from './record-unseen.mjs';

/** @typedef {import('./engines.mjs').Engines & { program: string }} KindContext */

/**
 * Figures by their kinds: how one is recorded, by itself or task by task.
 * @type {Record<string, { tasks: string[], native?: boolean, record: (means: KindContext, task: string) => Promise<unknown> }>}
 */
const FIGURES = {
  race: { tasks: RACE_TASKS, record: ({ program, createTrainer }, task) => recordRace(program, createTrainer, task) },
  extrapolation: {
    tasks: Object.keys(LENGTH_TASKS),
    record: ({ program, createTrainer }, task) => recordExtrapolation(program, createTrainer, task),
  },
  probe: { tasks: [], record: recordProbe },
  regression: { tasks: [], record: recordRegression },
  unseen: { tasks: [], native: true, record: recordUnseen },
};

const words = process.argv.slice(2);
const known = [...Object.keys(FIGURES), ...Object.values(FIGURES).flatMap(({ tasks }) => tasks)];
const unknown = words.find((word) => !known.includes(word));
if (unknown !== undefined) {
  console.error(`${unknown} is not recorded. Usage: npm run record [-- KIND or TASK ...]; there are ${[...new Set(known)].join(', ')}`);
  process.exit(2);
}
const namesKind = words.some((word) => word in FIGURES);
const tasksNamed = words.filter((word) => !(word in FIGURES));
/** @param {string} task */
const wants = (task) => tasksNamed.length === 0 || tasksNamed.includes(task);
const kinds = Object.entries(FIGURES).filter(([kind, { tasks }]) =>
  namesKind ? words.includes(kind) : tasksNamed.length === 0 || tasks.some(wants),
);

const isNative = kinds.some(([, { native, tasks }]) => native || tasks.length > 0);
const made = { ...(await loadEngines()), program: isNative ? await buildProgram() : '' };
for (const [kind, { tasks, record }] of kinds) {
  const file = join(root, `web/figure/kinds/${kind}/recorded.json`);
  /** @param {unknown} recorded */
  const write = (recorded) => writeFileSync(file, `${JSON.stringify(recorded)}\n`);
  if (tasks.length === 0) write(await record(made, ''));
  /** @type {Record<string, unknown>} */
  const before = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  for (const task of tasks.filter(wants)) {
    before[task] = await record(made, task);
    // After each one, so that what is done stays done.
    write(Object.fromEntries(tasks.filter((one) => before[one]).map((one) => [one, before[one]])));
  }
}
