// Tables of numbers as text: separators, names of columns and rows, and lines that are not rows of numbers.
import { describe, expect, it } from 'vitest';
import { formatCsv } from '../../web/figure/export/csv.ts';
import { readDroppedMatrix } from '../../web/figure/files/dropped-matrix.ts';
import { parseFile } from '../../web/figure/files/read-file.ts';

const read = (text: string, name = 'a.csv') => parseFile(name, new TextEncoder().encode(text)).tensors?.data;
const matrix = (...rows: number[][]) => ({ shape: [rows.length, rows[0]?.length], data: Float32Array.from(rows.flat()) });
const two = matrix([0.5, -1], [2e-3, 4]);

describe('CSV file', () => {
  it.each([
    ['commas', '0.5,-1\n2e-3,4\n'],
    ['semicolons', '0.5;-1\n2e-3;4'],
    ['tabs', '0.5\t-1\r\n2e-3\t4\r\n'],
    ['blanks and blank lines', '\ufeff 0.5 , -1\n\n2e-3 ,4\n\n'],
    ['quotation marks', '"0.5","-1"\n"2e-3","4"\n'],
    ['names of columns', 'x,y\n0.5,-1\n2e-3,4\n'],
    ['names of rows', 'the,0.5,-1\ncat,2e-3,4\n'],
    ['names of both, with separators in them', 'query,"to, be","or ""not"""\n"a\nb",0.5,-1\nb,2e-3,4\n'],
    ['the index of pandas', ',0,1\n0,0.5,-1\n1,2e-3,4\n'],
    ['the index of pandas and names', ',x,y\n0,0.5,-1\n1,2e-3,4\n'],
  ])('is read with %s', (_, text) => expect(read(text)).toEqual(two));

  it('is read with the extension .tsv', () => expect(read('0.5\t-1\n2e-3\t4', 'a.TSV')).toEqual(two));

  it('is read with a single row or a single column', () => {
    expect(read('1,2,3')).toEqual(matrix([1, 2, 3]));
    expect(read('x\n1\n2')).toEqual(matrix([1], [2]));
  });

  it.each([
    ['words', ['the', 'cat'], ['the', 'cat']],
    ['numbers', undefined, undefined],
    ['numbers of cells of a region', ['16', '32'], ['48', '64']],
  ])('of an exported table with %s as names has the same values', (_, rows, columns) => {
    const table = { name: 'weights', title: '', tensor: two as never, rowTitle: 'query', columnTitle: 'key', rows, columns };
    expect(read(formatCsv(table))).toEqual(two);
  });

  it.each([
    ['1,2\n3\n', 'a.csv: line 2 has 1 cell, but line 1 has 2'],
    ['x,y\n\n1,2,3\n', 'a.csv: line 3 has 3 cells, but line 1 has 2'],
    ['1,2\n3,four\n', 'a.csv: “four” is not a number on line 2, column 2'],
    ['1,x\n3,4\n', 'a.csv: “x” is not a number on line 1, column 2'],
    ['1,2\n3,\n', 'a.csv: there is no number on line 2, column 2'],
    ['1,2\n0x10,4\n', 'a.csv: “0x10” is not a number on line 2, column 1'],
    ['0,5;1,5\n2;3\n', 'a.csv: “0,5” is not a number on line 1, column 1; write it with a decimal point'],
    ['0,5;1\n1,5;2\n', 'a.csv: “0,5” is not a number on line 1, column 1; write it with a decimal point'],
    ['1,"2\n3,4\n', 'a.csv: the quotation marks on line 1 do not enclose a whole cell'],
    ['1,2"\n3,4\n', 'a.csv: the quotation marks on line 1 do not enclose a whole cell'],
    ['x,y\n', 'a.csv contains no numbers'],
    ['\n\n', 'a.csv contains no numbers'],
    [
      'position,x\n0,5\n1,6\n',
      'a.csv: the first column, “position”, may contain row numbers or data; remove its title for row numbers, or the header line for data',
    ],
  ])('%j is rejected', (text, sentence) => expect(() => read(text)).toThrow(new Error(sentence)));

  it('is rejected as a matrix if it has values that are not finite', () => {
    expect(read('nan,-inf\n1,2')?.data.slice(0, 2)).toEqual(Float32Array.of(Number.NaN, Number.NEGATIVE_INFINITY));
    for (const text of ['nan,1', '1e39,1'])
      expect(() => readDroppedMatrix(parseFile('a.csv', new TextEncoder().encode(text)))).toThrow('not finite numbers');
  });
});
