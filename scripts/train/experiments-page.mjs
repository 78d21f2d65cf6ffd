// docs/experiments.md: expected and measured results.
import { execFileSync } from 'node:child_process';
import { entryOf } from './entry-of.mjs';
import { experiments } from './experiment-list.mjs';

/** @import { Experiment } from './experiment-list.mjs' */
/** @import { LengthScore, Report, Run, Spread } from './program.mjs' */

/**
 * The report of a run; a model evaluated with scaled frequencies (stretched.mjs) has no accuracies.
 * @typedef {Pick<Report, 'score' | 'chance' | 'lengths' | 'metrics'> & { runs: (Pick<Run, 'seconds'> & { lengths: Partial<LengthScore>[] })[] }}
 * RunReport
 */
/** @typedef {Record<string, Record<string, RunReport>>} Reports by experiment and run */

/** Mean and sample deviation. @param {number[]} numbers */
function spread(numbers) {
  const mean = numbers.reduce((a, b) => a + b, 0) / numbers.length;
  const squares = numbers.reduce((sum, x) => sum + (x - mean) ** 2, 0);
  return { mean, deviation: numbers.length > 1 ? Math.sqrt(squares / (numbers.length - 1)) : 0 };
}

/** Accuracy of the last 15 tokens. @param {RunReport['runs'][0]} run */
const last = (run) => spread(run.lengths[0]?.accuracy_at?.slice(-15) ?? []).mean;

/**
 * The value of a column: of a length, a metric, or `last`.
 * @param {RunReport} report
 * @param {number | string | undefined} column
 * @returns {Spread | undefined}
 */
function measured(report, column) {
  if (column === 'last') return spread(report.runs.map(last));
  if (typeof column === 'string') return report.metrics[column];
  return report.lengths.find(({ length }) => length === column) ?? report.lengths[0];
}

/** @param {number} number */
const digits = (number) => number.toFixed(Math.abs(number) >= 10 ? 1 : 3);
/** @param {Spread | undefined} found @param {number | null | undefined} expected */
const cell = (found, expected) =>
  (found ? `${digits(found.mean)} ± ${digits(found.deviation)}` : '') + (expected == null ? '' : ` (${digits(expected)})`);

/** @param {Experiment} experiment @param {Record<string, RunReport>} reports by run */
function table({ columns, runs }, reports) {
  const titles = columns.map((column) => (column === 1 ? 'between the pixels' : String(column).replaceAll('_', ' ')));
  const rows = Object.entries(runs).map(([run, { expected }]) => {
    const report = entryOf(reports, run);
    return [
      run,
      ...columns.map((column, n) => cell(measured(report, column), expected[n])),
      digits(spread(report.runs.map(({ seconds }) => seconds)).mean),
    ];
  });
  return [['', ...titles, 'seconds'], Array.from({ length: titles.length + 2 }, () => '---'), ...rows]
    .map((row) => `| ${row.join(' | ')} |`)
    .join('\n');
}

/** The sections of a page, by their experiments. @param {string} page @returns {Record<string, string>} */
const sectionsOf = (page) =>
  Object.fromEntries(
    page
      .split(/\n(?=## )/)
      .slice(1)
      .map((section) => [section.match(/\w+/)?.[0], section.trimEnd()]),
  );

/**
 * @param {string[]} ids
 * @param {Reports} reports
 * @param {string} before the current page, whose other sections stay
 */
export function experimentsPage(ids, reports, before) {
  const claims = ids.flatMap((id) => {
    const { columns, claims } = entryOf(experiments, id);
    /** @param {string} run @param {number | string} [column] */
    const meanOf = (run, column = columns[0]) => measured(entryOf(entryOf(reports, id), run), column)?.mean ?? Number.NaN;
    return claims.map(([sentence, so]) => ({ id, sentence, holds: so(meanOf) }));
  });
  const processor = execFileSync('lscpu', { encoding: 'utf8' }).match(/Model name:\s*(.*)/)?.[1] ?? 'unknown processor';
  const created = ids.map((id) => {
    const experiment = entryOf(experiments, id);
    const { title, about } = experiment;
    const runs = entryOf(reports, id);
    const [first] = Object.values(runs);
    if (!first) throw new Error(`${id} has no run`);
    const unit = `Score: ${first.score}, chance ${digits(first.chance)}.`;
    const lines = claims
      .filter((claim) => claim.id === id)
      .map(({ sentence, holds }) => `- ${holds ? 'Holds:' : '**Does not hold:**'} ${sentence}.`);
    return [id, `## ${id}: ${title}\n\n${about} ${unit}\n\n${table(experiment, runs)}\n\n${lines.join('\n')}`];
  });
  const sections = { ...sectionsOf(before), ...Object.fromEntries(created) };
  const parts = Object.keys(experiments).flatMap((id) => (sections[id] ? [`${sections[id]}\n`] : []));
  const text = `# Experiments

Written by \`npm run train:experiments\`, which trains all of these models natively, with the three seeds 1, 2 and 3 (no seed was selected). Numbers are mean ±
sample standard deviation. Results in brackets are from PyTorch prototypes with other random numbers. Seconds are the processor time of one training run on one
thread (${processor}), without evaluations. Each task's file documents the subject of its claims and their source, in
\`cpp/src/tasks\`.

${parts.join('\n')}`;
  return { claims, text };
}
