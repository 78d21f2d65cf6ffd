// `npm run train:experiments [-- E1 E3 ...] [--quick] [--force]`: trains the experiments of experiment-list.mjs, three seeds each, two programs at a
// time, writes their sections of docs/experiments.md and fails if a claim does not hold. Results newer than the program are reused unless `--force`
// is set; `--quick` trains one seed of the short experiments and writes no page. `--check` trains two of the recorded curves of figures and compares
// them.
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../root.mjs';
import { loadEngines } from './engines.mjs';
import { entryOf } from './entry-of.mjs';
import { experiments } from './experiment-list.mjs';
import { experimentsPage } from './experiments-page.mjs';
import { buildProgram, runProgram } from './program.mjs';
import { checkRecorded } from './record-check.mjs';
import { reportStretched } from './stretched.mjs';

/** @import { Engines } from './engines.mjs' */
/** @import { Reports, RunReport } from './experiments-page.mjs' */

const AT_A_TIME = 2;
const results = join(root, 'build/experiments');

/** @type {Promise<Engines> | undefined} */
let loading;
/** Loaded once: an import waits for at most a minute, and an evaluation on this thread may take longer. */
const engines = () => (loading ??= loadEngines());

/** @param {string} id @param {string} run @param {number} seeds */
const fileOf = (id, run, seeds) => join(results, `${`${id} ${run} ${seeds}`.replaceAll(/[^\w.]+/g, '-')}.json`);

/**
 * The report of one run, cached while it is newer than the program.
 * @param {string} program
 * @param {string} id
 * @param {string} run
 * @param {{ seeds: number, force: boolean }} how
 * @returns {Promise<RunReport>}
 */
async function report(program, id, run, { seeds, force }) {
  const { words, columns, runs } = entryOf(experiments, id);
  const { scaling, words: own } = entryOf(runs, run);
  const file = fileOf(id, run, seeds);
  const fresh = existsSync(file) && statSync(file).mtimeMs > statSync(program).mtimeMs;
  if ((force || !fresh) && scaling) {
    const lengths = columns.map(Number);
    writeFileSync(file, JSON.stringify(await reportStretched(program, await engines(), scaling, lengths, seeds)));
    console.log(`${id} ${run}`);
  } else if (force || !fresh) {
    const command = [...words, ...own, '--seeds', String(seeds), '--out', file];
    let output = '';
    /** @param {string} text */
    const heard = (text) => (output = `${output}${text}`.slice(-2000));
    const code = await runProgram(program, command, { cwd: root, stdio: ['ignore', 'ignore', 'pipe'] }, heard);
    if (code !== 0) throw new Error(`${id} ${run}: phasor_train ${command.join(' ')} ended with ${code}\n${output}`);
    console.log(`${id} ${run}`);
  }
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** Runs jobs in order, a limited number in parallel. @param {(() => Promise<void>)[]} jobs @param {number} atATime */
async function inTurn(jobs, atATime) {
  const next = jobs.values();
  const worker = async () => {
    for (const job of next) await job();
  };
  await Promise.all(Array.from({ length: atATime }, worker));
}

const words = process.argv.slice(2);
const OPTIONS = ['--check', '--force', '--quick'];
if (words.includes('--check')) process.exit((await checkRecorded(await buildProgram())) ? 0 : 1);
const force = words.includes('--force');
const quick = words.includes('--quick');
const seeds = quick ? 1 : 3;
const named = words.filter((word) => !OPTIONS.includes(word));
const unknown = named.find((id) => !Object.hasOwn(experiments, id));
if (unknown !== undefined) {
  console.error(
    `${unknown} is not an experiment. Usage: npm run train:experiments [-- ${Object.keys(experiments).join(' | ')}] [--quick] [--force]`,
  );
  process.exit(2);
}
const requested = named.length > 0 ? named : Object.keys(experiments).filter((id) => !quick || entryOf(experiments, id).quick);

mkdirSync(results, { recursive: true });
const program = await buildProgram();
/** @type {Reports} */
const reports = Object.fromEntries(requested.map((id) => [id, {}]));
const jobs = requested.flatMap((id) =>
  Object.keys(entryOf(experiments, id).runs).map((run) => async () => {
    entryOf(reports, id)[run] = await report(program, id, run, { seeds, force });
  }),
);
await inTurn(jobs, AT_A_TIME);

const file = join(root, 'docs/experiments.md');
const page = experimentsPage(requested, reports, readFileSync(file, 'utf8'));
for (const { id, sentence, holds } of page.claims) console.log(`${holds ? 'so   ' : 'NOT SO'} ${id}: ${sentence}`);
if (!quick) writeFileSync(file, page.text);
if (page.claims.some(({ holds }) => !holds)) process.exitCode = 1;
