// Parses tables of numbers: cells separated by commas, semicolons or tabs, quoted as in RFC 4180, with or without column and row names.
import type { Tensor } from '../../engine/index.ts';
import { FILE_STRINGS } from './strings.ts';

/** A line of the file: its line number, counted from 1, and its trimmed cells. */
interface Line {
  readonly lineNumber: number;
  readonly cells: readonly string[];
}

const SEPARATORS = ['\t', ';', ','] as const;
/** Matches numbers as written by NumPy, pandas and the CSV export of figures. */
const NUMBER_PATTERN = /^[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|inf|infinity|nan)$/i;
const isNumber = (cell: string): boolean => NUMBER_PATTERN.test(cell);
/** A number in another notation, such as 0,5, is not a name. */
const isName = (cell: string): boolean => !isNumber(cell) && /[^\d.,+-]/.test(cell);

function parseNumber(cell: string): number {
  if (/nan/i.test(cell)) return Number.NaN;
  if (!/inf/i.test(cell)) return Number(cell);
  return cell.startsWith('-') ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
}

/**
 * Detects the separator from the first line: a tab, else a semicolon, else a comma. The comma is tried last because
 * cells may contain commas.
 */
function detectSeparator(text: string): string {
  const firstLine = /^\s*((?:"[^"]*"|[^"\r\n])*)/.exec(text)?.[1]?.replaceAll(/"[^"]*"/g, '') ?? '';
  return SEPARATORS.find((separator) => firstLine.includes(separator)) ?? ',';
}

/** Skips blank lines. */
function parseLines(name: string, text: string): Line[] {
  const separator = detectSeparator(text);
  const cellPattern = new RegExp(`[ ]*(?:"((?:[^"]|"")*)"[ ]*|([^"${separator}\\r\\n]*))(${separator}|\\r\\n|\\n|\\r|$)`, 'y');
  const lines: Line[] = [];
  let [lineNumber, cells]: [number, string[]] = [1, []];
  for (let at = 0; at < text.length || cells.length > 0; at = cellPattern.lastIndex) {
    cellPattern.lastIndex = at;
    const cellMatch = cellPattern.exec(text);
    if (!cellMatch) throw new Error(FILE_STRINGS.quotes(name, lineNumber));
    const [matched, quoted, plain = '', end] = cellMatch;
    cells.push(quoted?.replaceAll('""', '"') ?? plain.trim());
    if (end === separator) continue;
    if (cells.length > 1 || cells[0] !== '') lines.push({ lineNumber, cells });
    lineNumber += matched.match(/\r\n|\n|\r/g)?.length ?? 0;
    cells = [];
    if (cellPattern.lastIndex >= text.length) break;
  }
  return lines;
}

/** Whether the cells are ascending integers with a constant step, such as 0, 1, 2 or 16, 32, 48. */
const areEquallySpaced = (cells: readonly string[]): boolean => {
  const numbers = cells.map(Number);
  const [firstNumber = 0, secondNumber = firstNumber + 1] = numbers;
  const step = secondNumber - firstNumber;
  return step > 0 && numbers.every((value, at) => Number.isInteger(value) && value === firstNumber + at * step);
};

/**
 * A header row starts with a name or an empty cell, followed by names or by equally spaced integers such as positions.
 */
function isHeader({ cells }: Line): boolean {
  const [firstCell = '', ...otherCells] = cells;
  if (firstCell !== '' && !isName(firstCell)) return false;
  return otherCells.every((cell) => cell === '' || isName(cell)) || (otherCells.every(isNumber) && areEquallySpaced(otherCells));
}

/** Whether the first column contains row names. Throws if it could contain either row names or data. */
function hasRowNames(name: string, header: Line | undefined, rows: readonly Line[]): boolean {
  const firstColumn = rows.map(({ cells }) => cells[0] as string);
  if ((header?.cells.length ?? rows[0]?.cells.length ?? 0) < 2) return false;
  if (firstColumn.every(isName)) return true;
  if (!header) return false;
  const [title = '', ...otherNames] = header.cells;
  if (title === '' || otherNames.every(isNumber)) return true;
  if (rows.length > 1 && firstColumn.every((cell, at) => Number(cell) === at)) throw new Error(FILE_STRINGS.countedRows(name, title));
  return false;
}

/** Parses a table into a tensor [rows, columns]. Throws an Error that names the file. */
export function readCsv(name: string, text: string): Tensor {
  const lines = parseLines(name, text.replace(/^\ufeff/, ''));
  const [firstLine] = lines;
  if (!firstLine) throw new Error(FILE_STRINGS.noNumbers(name));
  const width = firstLine.cells.length;
  const raggedLine = lines.find(({ cells }) => cells.length !== width);
  if (raggedLine) throw new Error(FILE_STRINGS.ragged(name, raggedLine.lineNumber, raggedLine.cells.length, firstLine.lineNumber, width));
  const header = isHeader(firstLine) ? firstLine : undefined;
  const rows = header ? lines.slice(1) : lines;
  if (rows.length === 0) throw new Error(FILE_STRINGS.noNumbers(name));
  const nameColumnCount = hasRowNames(name, header, rows) ? 1 : 0;
  const columns = width - nameColumnCount;
  const data = new Float32Array(rows.length * columns);
  for (const [row, { lineNumber, cells }] of rows.entries())
    for (let column = 0; column < columns; column += 1) {
      const cell = cells[column + nameColumnCount] as string;
      if (!isNumber(cell)) throw new Error(FILE_STRINGS.notCell(name, lineNumber, column + nameColumnCount + 1, cell));
      data[row * columns + column] = parseNumber(cell);
    }
  return { shape: [rows.length, columns], data };
}
