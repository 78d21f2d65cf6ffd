// The start of a program that computes a position table.
import type { EncodingInfo, Tensor } from '../../engine/index.ts';
import type { LearnedRows } from '../compute/learned-rows.ts';
import type { TableSpec } from '../compute/table-rows.ts';
import { encodingCall } from './encoding-call.ts';
import { encodingChoice } from './encoding-choice.ts';

/** Code that reads the file of trained rows, named as in `encodingCall`. */
const readRowsCode = ({ shape, data }: Tensor): string => `const file = await readFile('learned_table.npy');
const rows = { shape: [${shape.join(', ')}], data: new Float32Array(Uint8Array.from(file.subarray(-4 * ${data.length})).buffer) };
`;

/** An encoding in JavaScript, with the variable `rows` as its table. */
const withRows = (choice: string): string =>
  choice.startsWith('{') ? choice.replace(/ }$/, ', table: rows }') : `{ id: ${choice}, table: rows }`;

/**
 * Returns the `values` and `lines` of a Python program that assigns `table`, and `phasor`, the start of such a program in JavaScript.
 * `numbers` contains trained rows, if any.
 */
export function tableCode(
  { encoding, length, dim, positionOffset }: TableSpec,
  encodings: readonly EncodingInfo[],
  numbers?: { readonly rows: LearnedRows },
) {
  const trained = numbers?.rows.trained;
  const choice = encodingChoice(encoding);
  const range = positionOffset === 0 ? String(length) : `${positionOffset}, ${positionOffset + length}`;
  return {
    values: { encoding: encodingCall(trained ? { ...encoding, table: trained } : encoding, encodings, { embedDim: dim }) },
    lines: [`table = encoding.position_table(np.arange(${range}), ${dim})`],
    phasor: `${trained ? "import { readFile } from 'node:fs/promises';\n" : ''}import { createPhasor } from 'phasor';

const phasor = await createPhasor();
${trained ? readRowsCode(trained) : ''}const table = phasor.positionTable({ encoding: ${trained ? withRows(choice) : choice}, length: ${length}, dim: ${dim}, positionOffset: ${positionOffset} });
`,
  };
}

/** A JavaScript function that picks columns, for programs with phasor. */
export const COLUMNS_JS = `const columns = ({ shape: [rows, width], data }, picked) => ({
  shape: [rows, picked.length],
  data: Float32Array.from({ length: rows * picked.length }, (_, at) => data[Math.floor(at / picked.length) * width + picked[at % picked.length]]),
});
`;
