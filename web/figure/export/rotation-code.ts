// Programs that turn a query and a key as a figure does.
import type { EncodingInfo } from '../../engine/index.ts';
import type { EncodingSpec } from '../contract/fields.ts';
import type { SourceCode } from '../contract/kind.ts';
import { encodingCode } from './encoding-code.ts';

/** More numbers than this are read from a file, which the reader saves from the figure. */
const MAX_LITERAL = 64;

interface Turned {
  readonly encoding: EncodingSpec;
  readonly width: number;
  readonly query: number;
  readonly key: number;
  readonly length: number;
  readonly vectors: 'random' | 'ones';
  readonly seed: number;
}

const listed = (data: Float32Array): string => Array.from(data, (value) => String(Number(value.toPrecision(9)))).join(', ');

/** `own`: q and k before they are rotated. */
export function rotationCode(
  spec: Turned,
  encodings: readonly EncodingInfo[],
  own: readonly [Float32Array, Float32Array] | undefined,
): SourceCode {
  const { encoding, width, query, key, length, vectors, seed } = spec;
  const { numpy, pytorch, choice } = encodingCode(encoding, encodings);
  const array = (index: 0 | 1): string => {
    if (vectors === 'ones') return `np.ones(${width}, dtype=np.float32)`;
    if (own && width <= MAX_LITERAL) return `np.array([${listed(own[index])}], dtype=np.float32)`;
    return `np.load('${index === 0 ? 'q' : 'k'}.npy')`;
  };
  const made = (wrap: (text: string) => string): string => `q = ${wrap(array(0))}\nk = ${wrap(array(1))}`;
  return {
    numpy: `${numpy}
${made((text) => text)}
width = ${width}
m, n = np.array([${query}], dtype=np.float64), np.array([${key}], dtype=np.float64)
phases = np.concatenate([angles(m, width), angles(n, width)])
rotated = np.concatenate([rotate(q[None, None], m, 'query')[0], rotate(k[None, None], n, 'key')[0]])

places = np.arange(${length}, dtype=np.float64)
queries = rotate(np.tile(q, (1, ${length}, 1)), places, 'query')[0]
keys = rotate(np.tile(k, (1, ${length}, 1)), places, 'key')[0]
scores = queries @ keys.T
`,
    pytorch: `${/^import numpy/m.test(pytorch) ? '' : 'import numpy as np\n'}${pytorch}
${made((text) => `torch.from_numpy(${text}).double()`)}
width = ${width}
m, n = torch.tensor([${query}], dtype=torch.float64), torch.tensor([${key}], dtype=torch.float64)
phases = torch.cat([angles(m, width), angles(n, width)])
rotated = torch.cat([rotate(q[None, None], m, 'query')[0], rotate(k[None, None], n, 'key')[0]])

places = torch.arange(${length}, dtype=torch.float64)
queries = rotate(torch.stack([q] * ${length})[None], places, 'query')[0]
keys = rotate(torch.stack([k] * ${length})[None], places, 'key')[0]
scores = queries @ keys.T
`,
    phasor: `import { createPhasor } from 'phasor';

const phasor = await createPhasor();
const encoding = ${choice};
const width = ${width};
const both = ${vectors === 'ones' ? `new Float32Array(${2 * width}).fill(1)` : `phasor.gaussian({ seed: ${seed}, shape: [2, ${width}] }).data`};
const [q, k] = [both.slice(0, width), both.slice(width)];
const phases = phasor.angles({ encoding, positions: [${query}, ${key}], width });
const turn = (vector, positions, role) => {
  const data = Float32Array.from({ length: positions.length * width }, (_, index) => vector[index % width]);
  return phasor.rotate({ shape: [1, positions.length, width], data }, { encoding, positions, role }).data;
};
const rotated = { shape: [2, width], data: Float32Array.of(...turn(q, [${query}], 'query'), ...turn(k, [${key}], 'key')) };

const places = Array.from({ length: ${length} }, (_, place) => place);
const table = { shape: [${2 * length}, width], data: Float32Array.of(...turn(q, places, 'query'), ...turn(k, places, 'key')) };
const products = phasor.similarity({ table, measure: 'dot' }).data;
const scores = places.map((m) => products.slice(m * ${2 * length} + ${length}, (m + 1) * ${2 * length}));
`,
  };
}
