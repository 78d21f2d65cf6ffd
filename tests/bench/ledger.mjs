// Stored rows: a file for each suite, with one run for each processor.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';

/** @import { Row } from './markdown.mjs' */
/** @typedef {{ processor: string, rows: Row[] }} Run */

/** @param {string} suite */
const fileOf = (suite) => join(import.meta.dirname, 'ledger', `${suite}.json`);

/** The name of the processor and its number of cores. On Linux the family and model are included, because clouds use one name for several processors. */
export function processor() {
  const all = cpus();
  const text = existsSync('/proc/cpuinfo') ? readFileSync('/proc/cpuinfo', 'utf8') : '';
  const [family, model] = ['cpu family', 'model'].map((name) => text.match(new RegExp(`^${name}\\s*: (\\d+)`, 'm'))?.[1]);
  const details = family && model ? ` (family ${family}, model ${model})` : '';
  return `${all[0]?.model.trim()}${details}, ${all.length} ${all.length === 1 ? 'core' : 'cores'}`;
}

/** @param {string} suite @returns {Run[]} */
export const runsOf = (suite) => (existsSync(fileOf(suite)) ? JSON.parse(readFileSync(fileOf(suite), 'utf8')) : []);

/** Stores a run, replacing that of the same processor. @param {string} suite @param {Run} run */
export function saveRun(suite, run) {
  const runs = [...runsOf(suite).filter((other) => other.processor !== run.processor), run];
  writeFileSync(fileOf(suite), `${JSON.stringify(runs, null, 1)}\n`);
}
