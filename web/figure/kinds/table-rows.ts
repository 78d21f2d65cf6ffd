// What kinds of position tables share: labels of positions, columns of a table, and the beginning of a program that computes the table.

import type { EncodingInfo, Tensor } from '../../engine/index.ts';
import type { EncodingSpec } from '../fields.ts';
import { encodingCode } from '../take-away/encoding-code.ts';

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
