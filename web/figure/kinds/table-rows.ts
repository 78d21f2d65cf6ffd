// What kinds of position tables share: labels of positions, columns of a table, and the beginning of a program that computes the table.

import { encodingDescriptions } from '../../encodings/description.ts';
import type { EncodingInfo, Tensor } from '../../engine/index.ts';
import type { EncodingSpec } from '../fields.ts';
import { paramOf } from '../parameters.ts';
import { SpecError } from '../spec.ts';
import { encodingCode } from '../take-away/encoding-code.ts';
import { words } from './table-rows-words.ts';

export interface TableSpec {
  readonly encoding: EncodingSpec;
  readonly length: number;
  readonly width: number;
  readonly offset: number;
}

/** The requests of the core know nothing of the other fields of a spec. */
export const tableRequest = ({ encoding, length, width, offset }: TableSpec): TableSpec => ({ encoding, length, width, offset });

export const positionLabels = (count: number, offset: number): string[] =>
  Array.from({ length: count }, (_, index) => String(index + offset));

/** Some columns of a tensor [rows, columns], in the given order. */
export function columnsOf({ shape, data }: Tensor, columns: readonly number[]): Tensor {
  const [rows = 0, width = 0] = shape;
  const picked = new Float32Array(rows * columns.length);
  for (let row = 0; row < rows; row++) {
    columns.forEach((column, index) => {
      picked[row * columns.length + index] = data[row * width + column] as number;
    });
  }
  return { shape: [rows, columns.length], data: picked };
}

/** The first rows of a tensor [rows, columns]. */
export const firstRows = ({ shape: [, columns = 0], data }: Tensor, rows: number): Tensor => ({
  shape: [rows, columns],
  data: data.subarray(0, rows * columns),
});

/** Some rows of a tensor [rows, columns], in the given order. */
export function rowsOf({ shape: [, columns = 0], data }: Tensor, rows: readonly number[]): Tensor {
  const picked = new Float32Array(rows.length * columns);
  rows.forEach((row, index) => {
    picked.set(data.subarray(row * columns, (row + 1) * columns), index * columns);
  });
  return { shape: [rows.length, columns], data: picked };
}

/** Which channels of a table are the sine and the cosine of a frequency. Throws a SpecError for an encoding that has no such pairs. */
export function pairsOf(
  { id, ...params }: EncodingSpec,
  columns: number,
  encodings: readonly EncodingInfo[],
): readonly (readonly [number, number])[] {
  const info = encodings.find((one) => one.id === id);
  const pairs = info && encodingDescriptions[id]?.pairs?.(columns, paramOf(params, info));
  if (!pairs) throw new SpecError('encoding', words.noPairs(id));
  if (pairs.length === 0) throw new SpecError('width', words.noRoom(columns));
  return pairs;
}

/** How many columns the table will have: encodings with a number of levels ignore the width. */
export function columnCount({ id, ...params }: EncodingSpec, width: number, encodings: readonly EncodingInfo[]): number {
  const info = encodings.find((one) => one.id === id);
  const levels = info && paramOf(params, info)('levels');
  return info && typeof levels === 'number' ? 2 * levels + (paramOf(params, info)('include_input') === true ? 1 : 0) : width;
}

/** Programs that leave the table in `table`, and the positions in `positions`. */
export function tableCode(spec: TableSpec, encodings: readonly EncodingInfo[]): { numpy: string; pytorch: string; phasor: string } {
  const { length, width, offset } = spec;
  const { numpy, pytorch, choice } = encodingCode(spec.encoding, encodings);
  const positions = `${offset}, ${offset + length}`;
  return {
    numpy: `${numpy}
positions = np.arange(${positions}, dtype=np.float64)
table = encode(positions, ${width})
`,
    pytorch: `${pytorch}
positions = torch.arange(${positions}, dtype=torch.float64)
table = encode(positions, ${width})
`,
    phasor: `import { createPhasor } from 'phasor';

const phasor = await createPhasor();
const table = phasor.table({ encoding: ${choice}, length: ${length}, width: ${width}, offset: ${offset} });
`,
  };
}

/** A JavaScript function that picks columns, for programs with phasor. */
export const COLUMNS_JS = `const columns = ({ shape: [rows, width], data }, picked) => ({
  shape: [rows, picked.length],
  data: Float32Array.from({ length: rows * picked.length }, (_, at) => data[Math.floor(at / picked.length) * width + picked[at % picked.length]]),
});
`;
