// The figure as programs.
import type { EncodingInfo } from '../../../engine/index.ts';
import type { SourceCode } from '../../contract/kind.ts';
import { encodingCode } from '../../export/encoding-code.ts';
import { QUERIES, SPREAD } from './compute.ts';
import type { Spec } from './index.ts';

export function code({ encoding, width, length, seed }: Spec, encodings: readonly EncodingInfo[]): SourceCode {
  const rope = encodingCode(encoding, encodings);
  const drawn = { id: 'learned', seed, max_length: QUERIES + 1 };
  const learned = encodingCode(drawn, encodings);
  return {
    numpy: `${rope.numpy}

# The vectors that nobody has trained.
${learned.numpy}
distances = np.arange(${length}, dtype=np.float64)
scores = lambda q, k: rotate(q[None], np.zeros(len(q)))[0] @ rotate(np.repeat(k[None, None], ${length}, axis=1), distances, 'key')[0].T
ones = np.ones(${width})
equal = scores(ones[None], ones)[0] / ${width}
phases = angles(distances, ${width})
partial = np.abs(np.cumsum(np.exp(1j * phases), axis=1))
bound = 2 * partial.mean(axis=1) / (phases.shape[1] + 1)
drawn = encode(np.arange(${QUERIES + 1}), ${width})
q, k = drawn[:-1], drawn[-1]
unrelated = np.sqrt((scores(q, k) ** 2).sum(axis=0) / (len(q) * ${SPREAD} ** 2 * (k**2).sum()))
decay = np.stack([equal, bound, unrelated], axis=1)
`,
    pytorch: `${rope.pytorch}

# The vectors that nobody has trained.
${learned.pytorch}
distances = torch.arange(${length}, dtype=torch.float64)
scores = lambda q, k: rotate(q[None], torch.zeros(len(q), dtype=torch.float64))[0] @ rotate(k.repeat(1, ${length}, 1), distances, 'key')[0].T
ones = torch.ones(${width}, dtype=torch.float64)
equal = scores(ones[None], ones)[0] / ${width}
phases = angles(distances, ${width})
partial = torch.polar(torch.ones_like(phases), phases).cumsum(1).abs()
bound = 2 * partial.mean(1) / (phases.shape[1] + 1)
drawn = encode(torch.arange(${QUERIES + 1}), ${width})
q, k = drawn[:-1], drawn[-1]
unrelated = ((scores(q, k) ** 2).sum(0) / (len(q) * ${SPREAD} ** 2 * (k**2).sum())).sqrt()
decay = torch.stack([equal, bound, unrelated], dim=1)
`,
    phasor: `import { createPhasor } from 'phasor';

const phasor = await createPhasor();
const encoding = ${rope.choice};
const [width, length, count] = [${width}, ${length}, ${QUERIES}];
const positions = Array.from({ length }, (_, position) => position);
const scores = (queries, key) =>
  phasor.attention({
    q: { shape: [1, queries.length / width, width], data: queries },
    k: { shape: [1, length, width], data: Float32Array.from({ length: length * width }, (_, at) => key[at % width]) },
    v: { shape: [1, length, 1], data: new Float32Array(length) },
    encoding,
    queryPositions: new Array(queries.length / width).fill(0),
    keyPositions: positions,
    scale: 1,
    want: ['scores'],
  }).scores.data;
const ones = new Float32Array(width).fill(1);
const equal = scores(ones, ones);
const drawn = phasor.table({ encoding: ${learned.choice}, length: count + 1, width }).data;
const key = drawn.slice(count * width);
const unrelated = scores(drawn.slice(0, count * width), key);
const expected = count * ${SPREAD} * ${SPREAD} * key.reduce((sum, value) => sum + value * value, 0);
const angles = phasor.angles({ encoding, length, width });
const bound = (row) => {
  let [cosine, sine, total] = [0, 0, 0];
  for (const angle of row) {
    cosine += Math.cos(angle);
    sine += Math.sin(angle);
    total += Math.hypot(cosine, sine);
  }
  return (2 * total) / (row.length * (row.length + 1));
};
const decay = { shape: [length, 3], data: new Float32Array(3 * length) };
for (const distance of positions) {
  const row = angles.data.subarray(distance * angles.shape[1], (distance + 1) * angles.shape[1]);
  let squares = 0;
  for (let query = 0; query < count; query++) squares += unrelated[query * length + distance] ** 2;
  decay.data.set([equal[distance] / width, bound(row), Math.sqrt(squares / expected)], 3 * distance);
}
`,
  };
}
