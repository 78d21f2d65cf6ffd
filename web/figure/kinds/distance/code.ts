// The figure as programs.
import type { EncodingInfo } from '../../../engine/index.ts';
import { similarityCode } from '../../compute/table-similarity.ts';
import type { SourceCode } from '../../contract/kind.ts';
import { tableCode } from '../../export/table-code.ts';
import type { Spec } from './index.ts';

export function code(spec: Spec, encodings: readonly EncodingInfo[]): SourceCode {
  const { numpy, pytorch, phasor } = tableCode(spec, encodings);
  const { length, measure } = spec;
  const diagonals = `for distance in range(${1 - length}, ${length})`;
  return {
    numpy: `${numpy}${similarityCode(measure, 'numpy')}diagonals = [np.diagonal(similarity, distance) ${diagonals}]
profile = np.array([[one.mean(), one.min(), one.max()] for one in diagonals])
`,
    pytorch: `${pytorch}${similarityCode(measure, 'pytorch')}diagonals = [similarity.diagonal(distance) ${diagonals}]
profile = torch.stack([torch.stack([one.mean(), one.min(), one.max()]) for one in diagonals])
`,
    phasor: `${phasor}const matrix = phasor.similarity({ table, measure: '${measure}' });
const { mean, min, max } = phasor.distanceProfile({ matrix });
const profile = {
  shape: [mean.data.length, 3],
  data: Float32Array.from({ length: 3 * mean.data.length }, (_, at) => [mean, min, max][at % 3].data[Math.floor(at / 3)]),
};
`,
  };
}
