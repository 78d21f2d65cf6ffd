// The beginning of a program that computes a position table.
import type { EncodingInfo } from '../../engine/index.ts';
import type { TableSpec } from '../compute/table-rows.ts';
import { encodingCode } from './encoding-code.ts';

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
