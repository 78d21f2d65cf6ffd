import type { EncodingInfo } from '../../../engine/index.ts';
import type { SourceCode } from '../../contract/kind.ts';
import { withAnalysis } from '../../export/analysis-import.ts';
import { shortestDecimal } from '../../export/csv.ts';
import { pythonArray, pythonProgram } from '../../export/python-program.ts';
import { ENTRIES_PER_MATRIX, POSITION_COUNT } from './compute.ts';
import type { Spec } from './index.ts';

export function code({ matrices }: Spec, _: readonly EncodingInfo[]): SourceCode {
  const allMatrices = { shape: [POSITION_COUNT, 2, 2], data: Float32Array.from([1, 0, 0, 1, ...matrices]) };
  const rows = Array.from({ length: POSITION_COUNT }, (_, position) =>
    Array.from(allMatrices.data.subarray(ENTRIES_PER_MATRIX * position, ENTRIES_PER_MATRIX * (position + 1)), shortestDecimal).join(', '),
  );
  return {
    ...pythonProgram({
      imports: ['from analysis import row_similarity'],
      values: { matrices: pythonArray('matrices', allMatrices) },
      lines: [`vectors = matrices.transpose(0, 2, 1).reshape(${2 * POSITION_COUNT}, 2)`, "scores = row_similarity(vectors, 'dot')"],
    }),
    phasor: withAnalysis(`import { createPhasor } from 'phasor';

const phasor = await createPhasor();
// The matrix of each position, row by row.
const matrices = [
${rows.map((row) => `  [${row}],`).join('\n')}
];
const columns = matrices.flatMap(([a, b, c, d]) => [a, c, b, d]);
const vectors = { shape: [${2 * POSITION_COUNT}, 2], data: Float32Array.from(columns) };
const scores = analysis.similarity(phasor, { table: vectors, metric: 'dot' });
`),
  };
}
