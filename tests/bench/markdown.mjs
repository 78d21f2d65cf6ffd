/** @typedef {Record<string, unknown>} Row a measurement of a suite, by field */
/**
 * @template R
 * @typedef {[title: string, cell: (row: R) => string | number | undefined]} Column
 */

/**
 * Rows as a Markdown table.
 * @template R
 * @param {Column<R>[]} columns columns of numbers are aligned to the right
 * @param {R[]} rows
 */
export function markdown(columns, rows) {
  const cells = rows.map((row) => columns.map(([, cell]) => cell(row) ?? ''));
  const number = columns.map((_, index) => cells.every((row) => /^[\d.]*$/.test(String(row[index]))));
  /** @param {(string | number)[]} values */
  const line = (values) => `| ${values.join(' | ')} |`;
  return [line(columns.map(([title]) => title)), `|${number.map((right) => (right ? '--:' : '---')).join('|')}|`, ...cells.map(line)].join(
    '\n',
  );
}
