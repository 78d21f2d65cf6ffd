// A report as text and as JSON.

import { percent } from '../../engine/doctor/percent.ts';
import type { Explanation, Report } from '../../engine/doctor/report.ts';
import type { NamedTensor } from './dump-files.ts';

const named = ({ findings, residual }: Explanation) => {
  const names = findings.map(({ id, params }) => {
    const values = Object.entries(params).map(([name, value]) => `${name} ${String(value)}`);
    return values.length > 0 ? `${id} (${values.join(', ')})` : id;
  });
  return `  ${names.length > 0 ? names.join(' and ') : 'as claimed'}: residual ${percent(residual)}`;
};
const list = (title: string, all: readonly Explanation[]) => (all.length > 0 ? [`${title}`, ...all.slice(0, 3).map(named)] : []);

/** Prints a report as a few lines that begin with the verdict. */
export function reportText(report: Report): string {
  const { verdict, sentence, fix, equivalents, next } = report;
  return [
    `${verdict}: ${sentence}`,
    ...(fix ? [`Fix: ${fix}`] : []),
    ...list('These numbers cannot distinguish it from', equivalents),
    // The next best explanations are listed only if none fits.
    ...(verdict === 'not_explained' ? list('The nearest explanations, which do not fit', next) : []),
  ].join('\n');
}

/** Prints a report as JSON, with the map as lists, and with the input files. */
export function reportJson(report: Report, inputs: { readonly [field: string]: NamedTensor }): string {
  const files = Object.fromEntries(
    Object.entries(inputs).map(([field, { name, file, shape, dtype, sha256 }]) => [field, { file, name, shape, dtype, sha256 }]),
  );
  const short = (_: string, value: unknown) =>
    value instanceof Float64Array
      ? Array.from(value, (one) => Number(one.toPrecision(4)))
      : ArrayBuffer.isView(value)
        ? [...(value as Float32Array)]
        : value;
  return JSON.stringify({ ...report, inputs: files }, short, 2);
}

/** The exit code: 0 as claimed, 1 a fault, 2 cannot tell or not explained. */
export function exitCodeOf({ verdict }: Report): 0 | 1 | 2 {
  if (/^(as_claimed|same|same_after_softmax|identified)$/.test(verdict)) return 0;
  return /^(cannot_tell|not_explained)$/.test(verdict) ? 2 : 1;
}
