// `npm run record [-- race extrapolation probe copy ...]`: writes the recordings of the figures `race`, `extrapolation`, `probe` and `regression`
// (three seeds of each line), `circuit`, `next-word` (guesses of shipped models) and `unseen` (RoPE models of three seeds). Curves of losses and
// scores are trained natively; evaluations of weights, and resolved configs, come from the WebAssembly. With names of tasks, the other recordings are
// unchanged.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../root.mjs';
import { loadEngines } from './engines.mjs';
import { buildProgram } from './program.mjs';
import { recordCircuit } from './record-circuit.mjs';
import { TASKS as LENGTH_TASKS, recordExtrapolation } from './record-extrapolation.mjs';
import { recordNextWord } from './record-next-word.mjs';
import { recordProbe } from './record-probe.mjs';
import { TASKS as RACE_TASKS, recordRace } from './record-race.mjs';
import { recordRegression } from './record-regression.mjs';
import { recordUnseen } from './record-unseen.mjs';

/** @typedef {import('./engines.mjs').Engines & { program: string }} KindContext */

/**
 * The recorder of each kind, for the whole figure or per task.
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
  circuit: { tasks: [], record: recordCircuit },
  'next-word': { tasks: [], record: recordNextWord },
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
const created = { ...(await loadEngines()), program: isNative ? await buildProgram() : '' };
for (const [kind, { tasks, record }] of kinds) {
  const file = join(root, `web/figure/kinds/${kind}/recorded.json`);
  /** @param {unknown} recorded */
  const write = (recorded) => writeFileSync(file, `${JSON.stringify(recorded)}\n`);
  if (tasks.length === 0) write(await record(created, ''));
  /** @type {Record<string, unknown>} */
  const before = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  for (const task of tasks.filter(wants)) {
    before[task] = await record(created, task);
    // The file is written after each task, so that an interruption loses little.
    write(Object.fromEntries(tasks.filter((one) => before[one]).map((one) => [one, before[one]])));
  }
}
