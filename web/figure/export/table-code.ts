// The start of a program that computes a position table.
import type { EncodingInfo } from '../../engine/index.ts';
import type { TableSpec } from '../compute/table-rows.ts';
import { encodingCall } from './encoding-call.ts';
import { encodingChoice } from './encoding-choice.ts';

/** `values` and `lines` of a Python program that assigns `table`; `phasor` begins such a program in JavaScript. */
export function tableCode({ encoding, length, dim, positionOffset }: TableSpec, encodings: readonly EncodingInfo[]) {
  const range = positionOffset === 0 ? String(length) : `${positionOffset}, ${positionOffset + length}`;
  return {
    values: { encoding: encodingCall(encoding, encodings, { embedDim: dim }) },
    lines: [`table = encoding.position_table(np.arange(${range}), ${dim})`],
    phasor: `import { createPhasor } from 'phasor';

const phasor = await createPhasor();
const table = phasor.positionTable({ encoding: ${encodingChoice(encoding)}, length: ${length}, dim: ${dim}, positionOffset: ${positionOffset} });
`,
  };
}

/** A JavaScript function that picks columns, for programs with phasor. */
export const COLUMNS_JS = `const columns = ({ shape: [rows, width], data }, picked) => ({
  shape: [rows, picked.length],
  data: Float32Array.from({ length: rows * picked.length }, (_, at) => data[Math.floor(at / picked.length) * width + picked[at % picked.length]]),
});
`;
