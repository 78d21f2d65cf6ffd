// Generates the part of a program that computes a position table.
import type { EncodingInfo, Tensor } from '../../engine/index.ts';
import type { LearnedRows } from '../compute/learned-rows.ts';
import type { TableSpec } from '../compute/table-rows.ts';
import { createEncodingCall } from './encoding-call.ts';
import { formatJsEncoding } from './encoding-choice.ts';

const readRowsCode = ({ shape, data }: Tensor): string => `const file = await readFile('learned_table.npy');
const rows = { shape: [${shape.join(', ')}], data: new Float32Array(Uint8Array.from(file.subarray(-4 * ${data.length})).buffer) };
`;

const withRows = (choice: string): string =>
  choice.startsWith('{') ? choice.replace(/ }$/, ', table: rows }') : `{ id: ${choice}, table: rows }`;

/**
 * Returns code that assigns the position table to `table`: `values` and `lines` for Python, and `phasor` for JavaScript.
 */
export function tableCode(
  { encoding, length, dim, positionOffset }: TableSpec,
  encodings: readonly EncodingInfo[],
  results?: { readonly rows: LearnedRows },
) {
  const trained = results?.rows.trainedRows;
  const choice = formatJsEncoding(encoding);
  const range = positionOffset === 0 ? String(length) : `${positionOffset}, ${positionOffset + length}`;
  return {
    values: { encoding: createEncodingCall(trained ? { ...encoding, table: trained } : encoding, encodings, { embedDim: dim }) },
    lines: [`table = encoding.position_table(np.arange(${range}), ${dim})`],
    phasor: `${trained ? "import { readFile } from 'node:fs/promises';\n" : ''}import { createPhasor } from 'phasor';

const phasor = await createPhasor();
${trained ? readRowsCode(trained) : ''}const table = phasor.positionTable({ encoding: ${trained ? withRows(choice) : choice}, length: ${length}, dim: ${dim}, positionOffset: ${positionOffset} });
`,
  };
}

export const COLUMNS_JS = `const columns = ({ shape: [rows, width], data }, indices) => ({
  shape: [rows, indices.length],
  data: Float32Array.from({ length: rows * indices.length }, (_, at) => data[Math.floor(at / indices.length) * width + indices[at % indices.length]]),
});
`;
