import { formatPercent } from '../../engine/doctor/percent.ts';
import type { Explanation, Report } from '../../engine/doctor/report.ts';
import type { NamedTensor } from './dump-files.ts';

const formatExplanation = ({ findings, residual }: Explanation) => {
  const names = findings.map(({ id, params }) => {
    const values = Object.entries(params).map(([name, value]) => `${name} ${String(value)}`);
    return values.length > 0 ? `${id} (${values.join(', ')})` : id;
  });
  return `  ${names.length > 0 ? names.join(' and ') : 'as claimed'}: residual ${formatPercent(residual)}`;
};
const formatExplanations = (title: string, explanations: readonly Explanation[]) =>
  explanations.length > 0 ? [`${title}`, ...explanations.slice(0, 3).map(formatExplanation)] : [];

/** Formats a report as a few lines of text, starting with the verdict. */
export function formatReport(report: Report): string {
  const { verdict, sentence, fix, equivalents, next } = report;
  return [
    `${verdict}: ${sentence}`,
    ...(fix ? [`Fix: ${fix}`] : []),
    ...formatExplanations('Equally consistent with these tensors', equivalents),
    // Other explanations are listed only if none of them fits.
    ...(verdict === 'not_explained' ? formatExplanations('The nearest explanations, which do not fit', next) : []),
  ].join('\n');
}

/** Formats a report and its input files' metadata as JSON. Typed arrays become lists. */
export function formatReportJson(report: Report, inputs: { readonly [field: string]: NamedTensor }): string {
  const files = Object.fromEntries(
    Object.entries(inputs).map(([field, { name, file, shape, dtype, sha256 }]) => [field, { file, name, shape, dtype, sha256 }]),
  );
  const toShortJson = (_: string, value: unknown) =>
    value instanceof Float64Array
      ? Array.from(value, (number) => Number(number.toPrecision(4)))
      : ArrayBuffer.isView(value)
        ? [...(value as Float32Array)]
        : value;
  return JSON.stringify({ ...report, inputs: files }, toShortJson, 2);
}

/** Returns the exit code: 0 if no fault was found, 1 for a fault, 2 if the result is undecided or not explained. */
export function toExitCode({ verdict }: Report): 0 | 1 | 2 {
  if (/^(as_claimed|same|same_after_softmax|identified)$/.test(verdict)) return 0;
  return /^(cannot_tell|not_explained)$/.test(verdict) ? 2 : 1;
}
