// The figure as programs.
import type { EncodingInfo } from '../../../engine/index.ts';
import { sidesOf, type TableWaves } from '../../compute/table-waves.ts';
import type { SourceCode } from '../../contract/kind.ts';
import { encodingCode } from '../../export/encoding-code.ts';
import { tableCode } from '../../export/table-code.ts';
import type { Spec } from './index.ts';

export function code(
  { shift: k, position, encoding: choice, length, width }: Spec,
  encodings: readonly EncodingInfo[],
  numbers?: { readonly hands: TableWaves },
): SourceCode {
  const start = tableCode({ encoding: choice, length, width, offset: 0 }, encodings);
  const sides = numbers ? sidesOf(numbers.hands) : { sine: [], cosine: [] };
  const [sine, cosine] = [sides.sine, sides.cosine].map((channels) => `[${channels.join(', ')}]`);
  const [before, after] = k < 0 ? [`table[${-k}:]`, `table[:${length + k}]`] : [`table[:${length - k}]`, `table[${k}:]`];
  const { choice: literal } = encodingCode(choice, encodings);
  // A hand that starts at twelve is at the angle of the shift at position k.
  return {
    numpy: `${start.numpy}rows = table[[${position}, ${position + k}]]
sines, cosines = ${sine}, ${cosine}
turn = encode(np.array([${k}.0]), ${width})[0]
radius = np.hypot(turn[sines], turn[cosines])
shift = np.eye(table.shape[1])
shift[sines, sines] = shift[cosines, cosines] = turn[cosines] / radius
shift[sines, cosines] = turn[sines] / radius
shift[cosines, sines] = -turn[sines] / radius
residual = np.abs(${after} - ${before} @ shift.T).max()
`,
    pytorch: `${start.pytorch}rows = table[[${position}, ${position + k}]]
sines, cosines = ${sine}, ${cosine}
turn = encode(torch.tensor([${k}.0], dtype=torch.float64), ${width})[0]
radius = torch.hypot(turn[sines], turn[cosines])
shift = torch.eye(table.shape[1], dtype=table.dtype)
shift[sines, sines] = shift[cosines, cosines] = turn[cosines] / radius
shift[sines, cosines] = turn[sines] / radius
shift[cosines, sines] = -turn[sines] / radius
residual = (${after} - ${before} @ shift.T).abs().max()
`,
    phasor: `${start.phasor}const columns = table.shape[1];
const rows = {
  shape: [2, columns],
  data: Float32Array.from([${position}, ${position + k}].flatMap((row) => [...table.data.subarray(row * columns, (row + 1) * columns)])),
};
const shift = phasor.shiftMatrix({ encoding: ${literal}, width: ${width}, k: ${k} });
const residual = phasor.shiftResidual({ table, shift, k: ${k} }).maxAbsDiff;
`,
  };
}
