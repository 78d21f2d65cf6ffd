/**
 * Rows as a Markdown table.
 * @param {[title: string, cell: (row: object) => string | number | undefined][]} columns numbers stand to the right
 */
export function markdown(columns, rows) {
  const cells = rows.map((row) => columns.map(([, cell]) => cell(row) ?? ''));
  const number = columns.map((_, index) => cells.every((row) => /^[\d.]*$/.test(String(row[index]))));
  const line = (values) => `| ${values.join(' | ')} |`;
  return [line(columns.map(([title]) => title)), `|${number.map((right) => (right ? '--:' : '---')).join('|')}|`, ...cells.map(line)].join(
    '\n',
  );
}
