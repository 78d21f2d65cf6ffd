import type { EncodingInfo } from '../../../engine/index.ts';
import type { Rotation } from '../../compute/rotation.ts';
import type { SourceCode } from '../../contract/kind.ts';
import { withUsedParams } from '../../contract/parameters.ts';
import { withAnalysis } from '../../export/analysis-import.ts';
import { createEncodingCall } from '../../export/encoding-call.ts';
import { formatJsEncoding } from '../../export/encoding-choice.ts';
import { pythonArray, pythonProgram } from '../../export/python-program.ts';
import type { Spec } from './fields.ts';

export function code(spec: Spec, encodings: readonly EncodingInfo[], rotation?: Rotation): SourceCode {
  const { dim, query, key, length, vectors, seed } = spec;
  const encoding = withUsedParams(spec.encoding, encodings);
  const vector = (name: 'q' | 'k', values: Float32Array | undefined) =>
    vectors === 'ones' ? { expression: `np.ones(${dim})` } : pythonArray(name, values && { shape: [dim], data: values });
  return {
    ...pythonProgram({
      values: {
        encoding: createEncodingCall(encoding, encodings, { headDim: dim }),
        q: vector('q', rotation?.query.beforeRotation),
        k: vector('k', rotation?.key.beforeRotation),
      },
      lines: [
        `m, n = np.array([${query}]), np.array([${key}])`,
        `phases = np.concatenate([encoding.rotary_angles(m, ${dim}), encoding.rotary_angles(n, ${dim})])`,
        "rotated = np.concatenate([encoding.apply_rotary(q[None, None], m)[0], encoding.apply_rotary(k[None, None], n, 'key')[0]])",
        '',
        `positions = np.arange(${length})`,
        `queries = encoding.apply_rotary(np.tile(q, (1, ${length}, 1)), positions)[0]`,
        `keys = encoding.apply_rotary(np.tile(k, (1, ${length}, 1)), positions, 'key')[0]`,
        'scores = queries @ keys.T',
      ],
    }),
    phasor: withAnalysis(`import { createPhasor } from 'phasor';

const phasor = await createPhasor();
const encoding = ${formatJsEncoding(encoding)};
const width = ${dim};
const queryAndKey = ${vectors === 'ones' ? `new Float32Array(${2 * dim}).fill(1)` : `phasor.randomNormal({ seed: ${seed}, shape: [2, ${dim}] }).data`};
const [q, k] = [queryAndKey.slice(0, width), queryAndKey.slice(width)];
const phases = phasor.rotaryAngles({ encoding, positions: [${query}, ${key}], dim: width });
const rotate = (vector, positions, role) => {
  const data = Float32Array.from({ length: positions.length * width }, (_, index) => vector[index % width]);
  return phasor.applyRotary({ shape: [1, positions.length, width], data }, { encoding, positions, role }).data;
};
const rotated = { shape: [2, width], data: Float32Array.of(...rotate(q, [${query}], 'query'), ...rotate(k, [${key}], 'key')) };

const allPositions = Array.from({ length: ${length} }, (_, position) => position);
const table = { shape: [${2 * length}, width], data: Float32Array.of(...rotate(q, allPositions, 'query'), ...rotate(k, allPositions, 'key')) };
const products = analysis.similarity(phasor, { table, metric: 'dot' }).data;
const scores = allPositions.map((m) => products.slice(m * ${2 * length} + ${length}, (m + 1) * ${2 * length}));
`),
  };
}
