import type { EncodingInfo } from '../../../engine/index.ts';
import { splitChannels, type TableWaves } from '../../compute/table-waves.ts';
import type { SourceCode } from '../../contract/kind.ts';
import { withAnalysis } from '../../export/analysis-import.ts';
import { formatJsEncoding } from '../../export/encoding-choice.ts';
import { pythonProgram } from '../../export/python-program.ts';
import { tableCode } from '../../export/table-code.ts';
import type { Spec } from './index.ts';

export function code(
  { shift: k, position, encoding: choice, length, dim }: Spec,
  encodings: readonly EncodingInfo[],
  results?: { readonly hands: TableWaves },
): SourceCode {
  const tableProgram = tableCode({ encoding: choice, length, dim, positionOffset: 0 }, encodings);
  const waveChannels = results ? splitChannels(results.hands) : { sine: [], cosine: [] };
  const [sine, cosine] = [waveChannels.sine, waveChannels.cosine].map((channels) => `[${channels.join(', ')}]`);
  return {
    ...pythonProgram({
      imports: ['from analysis import shift_matrix, shift_residual'],
      values: tableProgram.values,
      lines: [
        ...tableProgram.lines,
        `rows = table[[${position}, ${position + k}]]`,
        `shift = shift_matrix(encoding, ${dim}, ${k}, ${sine}, ${cosine})`,
        `residual = shift_residual(table, shift, ${k})`,
      ],
    }),
    phasor: withAnalysis(`${tableProgram.phasor}const columns = table.shape[1];
const rows = {
  shape: [2, columns],
  data: Float32Array.from([${position}, ${position + k}].flatMap((row) => [...table.data.subarray(row * columns, (row + 1) * columns)])),
};
const shift = analysis.shiftMatrix(phasor, { encoding: ${formatJsEncoding(choice)}, dim: ${dim}, k: ${k} });
const residual = analysis.shiftError(phasor, { table, shift, k: ${k} }).maxAbsDiff;
`),
  };
}
