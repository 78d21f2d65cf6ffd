import type { EncodingInfo } from '../../../engine/index.ts';
import type { SourceCode } from '../../contract/kind.ts';
import { withAnalysis } from '../../export/analysis-import.ts';
import { randomNormal } from '../../export/drawn-parameters.ts';
import { pythonArray, pythonProgram } from '../../export/python-program.ts';
import { tableCode } from '../../export/table-code.ts';
import type { Spec } from './index.ts';

export function code(
  { encoding: encodingSpec, length, dim: specDim, seed }: Spec,
  encodings: readonly EncodingInfo[],
  results?: { readonly results: readonly { readonly width: number }[] },
): SourceCode {
  // The table's width can differ from `dim`, because some encodings determine it.
  const dim = results?.results[0]?.width ?? specDim;
  const tableProgram = tableCode({ encoding: encodingSpec, length, dim, positionOffset: 0 }, encodings);
  return {
    ...pythonProgram({
      imports: ['from analysis import linear_probe, row_similarity'],
      values: { ...tableProgram.values, x: pythonArray('x', randomNormal(seed, [length, dim])) },
      lines: [
        ...tableProgram.lines,
        'combined = x + table, np.concatenate([x, table], axis=1)',
        'added, concatenated = row_similarity(combined[0]), row_similarity(combined[1])',
        'predictions = np.stack([linear_probe(rows) for rows in combined], axis=1)',
      ],
    }),
    phasor: withAnalysis(`${tableProgram.phasor}const x = phasor.randomNormal({ seed: ${seed}, shape: table.shape });
const combined = ['add', 'concatenate'].map((mode) => phasor.combine({ x, table, mode }));
const [added, concatenated] = combined.map((rows) => analysis.similarity(phasor, { table: rows }));
const probes = combined.map((rows) => analysis.linearProbe(phasor, { table: rows }).predictions.data);
const predictions = { shape: [${length}, 2], data: Float32Array.from({ length: ${2 * length} }, (_, at) => probes[at % 2][at >> 1]) };
`),
  };
}
