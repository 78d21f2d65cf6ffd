// docs/experiments.md: what was expected beside what was measured.
import { execFileSync } from 'node:child_process';
import { experiments } from './experiment-list.mjs';

/** Mean and sample deviation. */
function spread(numbers) {
  const mean = numbers.reduce((a, b) => a + b, 0) / numbers.length;
  const squares = numbers.reduce((sum, x) => sum + (x - mean) ** 2, 0);
  return { mean, deviation: numbers.length > 1 ? Math.sqrt(squares / (numbers.length - 1)) : 0 };
}

/** Accuracy of the last 15 tokens. */
const last = (run) => spread(run.lengths[0].accuracy_at.slice(-15)).mean;

/** What a report has in a column: a length, something observed, or `last`. */
function measured(report, column) {
  if (column === 'last') return spread(report.runs.map(last));
  if (typeof column === 'string') return report.observed[column];
  return report.lengths.find(({ length }) => length === column) ?? report.lengths[0];
}

const digits = (number) => number.toFixed(Math.abs(number) >= 10 ? 1 : 3);
const cell = (found, expected) =>
  (found ? `${digits(found.mean)} ± ${digits(found.deviation)}` : '') + (expected == null ? '' : ` (${digits(expected)})`);

function table(id, reports) {
  const { columns, runs } = experiments[id];
  const titles = columns.map((column) => (column === 1 ? 'between the pixels' : String(column).replaceAll('_', ' ')));
  const rows = Object.entries(runs).map(([run, { expected }]) => [
    run,
    ...columns.map((column, n) => cell(measured(reports[run], column), expected[n])),
    digits(spread(reports[run].runs.map(({ seconds }) => seconds)).mean),
  ]);
  return [['', ...titles, 'seconds'], Array.from({ length: titles.length + 2 }, () => '---'), ...rows]
    .map((row) => `| ${row.join(' | ')} |`)
    .join('\n');
}

/** The sections of a page, by their experiments. */
const sectionsOf = (page) =>
  Object.fromEntries(
    page
      .split(/\n(?=## )/)
      .slice(1)
      .map((section) => [section.match(/\w+/)[0], section.trimEnd()]),
  );

/**
 * @param {string[]} ids
 * @param {Record<string, Record<string, any>>} reports by experiment and run
 * @param {string} before the page as it is: other sections stay
 */
export function experimentsPage(ids, reports, before) {
  const claims = ids.flatMap((id) => {
    const of = (run, column = experiments[id].columns[0]) => measured(reports[id][run], column).mean;
    return experiments[id].claims.map(([sentence, so]) => ({ id, sentence, holds: so(of) }));
  });
  const processor = execFileSync('lscpu', { encoding: 'utf8' }).match(/Model name:\s*(.*)/)?.[1] ?? 'unknown processor';
  const made = ids.map((id) => {
    const { title, about } = experiments[id];
    const [first] = Object.values(reports[id]);
    const unit = `Score: ${first.score}, chance ${digits(first.chance)}.`;
    const said = claims
      .filter((claim) => claim.id === id)
      .map(({ sentence, holds }) => `- ${holds ? 'Holds:' : '**Not so here:**'} ${sentence}.`);
    return [id, `## ${id}: ${title}\n\n${about} ${unit}\n\n${table(id, reports[id])}\n\n${said.join('\n')}`];
  });
  const sections = { ...sectionsOf(before), ...Object.fromEntries(made) };
  const parts = Object.keys(experiments).flatMap((id) => (sections[id] ? [`${sections[id]}\n`] : []));
  const text = `# Experiments

Written by \`npm run experiments\`, which trains all of these models natively, from three seeds each (1, 2 and 3; no seed was chosen). Numbers are mean ±
sample deviation; in brackets what prototypes in PyTorch had measured, from other random numbers. Seconds are those of the processor for one training on one
thread (${processor}), without evaluations. What a claim is about, and which document makes it, is said in the file of the task in
\`cpp/src/tasks\`.

${parts.join('\n')}`;
  return { claims, text };
}
