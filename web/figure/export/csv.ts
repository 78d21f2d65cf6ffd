// Formats tables as CSV (RFC 4180). Numbers have just enough digits to parse to the same float32.
import { entryAt } from '../../charts/entry-at.ts';
import type { DataTable } from '../contract/kind.ts';

const quote = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** Returns the shortest decimal that parses to the same float32, such as 0.1 instead of 0.10000000149011612. */
export function shortestDecimal(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'nan' : value > 0 ? 'inf' : '-inf';
  for (let digits = 1; digits < 9; digits++) {
    const decimal = value.toPrecision(digits);
    if (Math.fround(Number(decimal)) === value) return String(Number(decimal));
  }
  return String(Number(value.toPrecision(9)));
}

export const getTableSize = ({ tensor: { shape } }: DataTable): { readonly rows: number; readonly columns: number } => ({
  rows: shape[0] ?? 1,
  columns: shape[1] ?? 1,
});

export const getRowName = ({ rows }: DataTable, row: number): string => rows?.[row] ?? String(row);
export const getColumnName = (table: DataTable, column: number): string =>
  table.columns?.[column] ?? (table.tensor.shape.length < 2 ? table.columnTitle : String(column));

export function formatCsv(table: DataTable): string {
  const { rows, columns } = getTableSize(table);
  const formatCells = (row: number): string[] =>
    Array.from({ length: columns }, (_, column) => shortestDecimal(entryAt(table.tensor.data, row * columns + column)));
  const headerCells = [table.rowTitle, ...Array.from({ length: columns }, (_, column) => getColumnName(table, column))];
  const rowTexts = [
    headerCells.map(quote).join(','),
    ...Array.from({ length: rows }, (_, row) => [quote(getRowName(table, row)), ...formatCells(row)].join(',')),
  ];
  return `${rowTexts.join('\r\n')}\r\n`;
}
