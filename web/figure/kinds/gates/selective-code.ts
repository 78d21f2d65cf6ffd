// The figure with Selective RoPE as programs.
import type { SourceCode } from '../../contract/kind.ts';
import { opening } from './opening.ts';
import { ROTATION, turnOf } from './selective.ts';

export interface SelectiveProgram {
  readonly width: number;
  /** The first channel of the head, and how many it has. */
  readonly from: number;
  readonly each: number;
  /** All words are one vector. */
  readonly isEqual: boolean;
  readonly words: number;
  /** Embeddings as a literal; undefined where they are read from a file. */
  readonly rows: string | undefined;
  readonly gates: string;
}

const { base, layout } = ROTATION;

export function selectiveCode({ width, from, each, isEqual, words, rows, gates }: SelectiveProgram): SourceCode {
  const head = isEqual
    ? `ones_like(embeddings[:, ${from}:${from + each}])  # all words are alike`
    : `embeddings[:, ${from}:${from + each}]`;
  const note =
    '# By place: how far a word counts. A key and a query are as many steps apart as the gates after the key, up to the query, add up to.';
  const vector = (library: string): string => (isEqual ? `${library}.${head}` : head);
  return {
    numpy: `import numpy as np

embeddings = ${rows === undefined ? "np.load('embeddings.npy')" : `np.array(${rows}, dtype=np.float32)`}
${note}
gates = np.array(${gates})
places = np.cumsum(gates)

x = ${vector('np')}
half = x.shape[-1] // 2
angles = places[:, None] * ${base} ** (-np.arange(half) / half)
a, b = x[:, :half], x[:, half:]
q = k = np.concatenate([a * np.cos(angles) - b * np.sin(angles), b * np.cos(angles) + a * np.sin(angles)], axis=-1)
seen = np.tril(np.ones((len(q), len(q)), dtype=bool))
distance = np.where(seen, places[:, None] - places[None, :], 0.0)
scores = np.where(seen, q @ k.T * q.shape[-1] ** -0.5, -np.inf)
weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
weights = weights / weights.sum(axis=-1, keepdims=True)
`,
    pytorch: `${rows === undefined ? 'import numpy as np\n' : ''}import torch

embeddings = ${rows === undefined ? "torch.from_numpy(np.load('embeddings.npy'))" : `torch.tensor(${rows}, dtype=torch.float32)`}
${note}
gates = torch.tensor(${gates}, dtype=torch.float64)
places = torch.cumsum(gates, 0)

x = ${vector('torch')}
half = x.shape[-1] // 2
angles = places[:, None] * ${base} ** (-torch.arange(half, dtype=torch.float64) / half)
a, b = x[:, :half], x[:, half:]
q = k = torch.cat([a * torch.cos(angles) - b * torch.sin(angles), b * torch.cos(angles) + a * torch.sin(angles)], dim=-1)
seen = torch.ones(len(q), len(q), dtype=torch.bool).tril()
distance = torch.where(seen, places[:, None] - places[None, :], 0.0)
scores = torch.where(seen, q @ k.T * q.shape[-1] ** -0.5, -torch.inf)
weights = torch.softmax(scores, dim=-1)
`,
    phasor: `${opening({ words, width, rows, note, gates })}const filled = (shape, value) => ({ shape, data: new Float32Array(shape.reduce((product, axis) => product * axis)).fill(value) });
${
  isEqual
    ? `// All words are alike.\nconst x = filled([1, ${words}, ${each}], 1);`
    : `const x = { shape: [1, ${words}, ${each}], data: embeddings.data, strides: [${width}, ${width}, 1], offset: ${from} };`
}
const encoding = { id: 'rope_selective', base: ${base}, layout: '${layout}' };
const attention = phasor.attention({
  q: x,
  k: x,
  v: x,
  mask: 'causal',
  encoding,
  tokenTensors: { steps: filled([1, ${words}, ${each / 2}], 1), gate: { shape: [1, ${words}], data: gates.data } },
  want: ['weights'],
});
// [words, words]: of the one head.
const weights = { shape: [${words}, ${words}], data: attention.weights.data };

// How many steps apart they are: two queries, one along each channel of a slow pair, read the cosine and the sine of the angle off their scores.
const [one, other] = [[1, 0], [0, 1]].map((vector) => Array.from({ length: ${words} }, () => vector).flat());
const k = { shape: [2, ${words}, 2], data: Float32Array.from([...one, ...one]) };
const turn = ${turnOf(words)};
const { scores } = phasor.attention({
  q: { shape: [2, ${words}, 2], data: Float32Array.from([...one, ...other]) },
  k,
  v: k,
  mask: 'causal',
  scale: 1,
  encoding: { ...encoding, temperature_max: turn },
  tokenTensors: { steps: filled([2, ${words}, 1], 1), gate: { shape: [2, ${words}], data: Float32Array.from([...gates.data, ...gates.data]) } },
  want: ['scores'],
});
const distance = filled([${words}, ${words}], 0);
for (let query = 0; query < ${words}; query += 1) {
  for (let key = 0; key < query; key += 1) {
    const at = query * ${words} + key;
    distance.data[at] = Math.max(0, Math.atan2(-scores.data[${words} ** 2 + at], scores.data[at]) / turn);
  }
}
`,
  };
}
