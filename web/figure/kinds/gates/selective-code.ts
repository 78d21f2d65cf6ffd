// Programs for the figure with Selective RoPE.
import type { SourceCode } from '../../contract/kind.ts';
import { type PythonValue, pythonProgram } from '../../export/python-program.ts';
import { programStart } from './opening.ts';
import { angleOfStep, ROTATION } from './selective.ts';

export interface SelectiveProgram {
  readonly dim: number;
  /** The index of the first channel of the head, and its number of channels. */
  readonly from: number;
  readonly headDim: number;
  /** Whether all words have the same vector. */
  readonly isEqual: boolean;
  readonly words: number;
  /** Embeddings as a literal; undefined if they are read from a file. */
  readonly rows: string | undefined;
  readonly gates: string;
  /** Embeddings and gates in Python. */
  readonly values: { readonly [variable: string]: PythonValue };
}

const { base, layout } = ROTATION;

export function selectiveCode({ dim, from, headDim, isEqual, words, rows, gates, values }: SelectiveProgram): SourceCode {
  const note =
    '# The gate of a word is its step. The distance between a key and a query is the sum of the gates after the key, up to the query.';
  return {
    ...pythonProgram({
      imports: ['from attention import attention', 'from rope_selective import RopeSelective'],
      values,
      lines: [
        note,
        isEqual ? `x = np.ones((1, ${words}, ${headDim}))  # all words are alike` : `x = embeddings[None, :, ${from}:${from + headDim}]`,
        `encoding = RopeSelective(base=${base}, layout='${layout}')`,
        `steps = np.ones((1, ${words}, ${headDim / 2}))`,
        "weights = attention(x, x, x, encoding, mask='causal', steps=steps, gate=gates[None]).weights[0]",
        'positions = np.cumsum(gates)',
        'distance = np.tril(positions[:, None] - positions)',
      ],
    }),
    phasor: `${programStart({ words, dim, rows, note, gates })}const full = (shape, value) => ({ shape, data: new Float32Array(shape.reduce((product, axis) => product * axis)).fill(value) });
${
  isEqual
    ? `// All words are alike.\nconst x = full([1, ${words}, ${headDim}], 1);`
    : `const x = { shape: [1, ${words}, ${headDim}], data: embeddings.data, strides: [${dim}, ${dim}, 1], offset: ${from} };`
}
const encoding = { id: 'rope_selective', base: ${base}, layout: '${layout}' };
const attention = phasor.attention({
  q: x,
  k: x,
  v: x,
  mask: 'causal',
  encoding,
  tokenTensors: { steps: full([1, ${words}, ${headDim / 2}], 1), gate: { shape: [1, ${words}], data: gates.data } },
  outputs: ['weights'],
});
// [words, words], of the only head.
const weights = { shape: [${words}, ${words}], data: attention.weights.data };

// The number of steps between a key and a query, from the angle of a slow pair. Two queries, [1, 0] and [0, 1], measure its cosine and sine.
const [firstAxis, secondAxis] = [[1, 0], [0, 1]].map((vector) => Array.from({ length: ${words} }, () => vector).flat());
const k = { shape: [2, ${words}, 2], data: Float32Array.from([...firstAxis, ...firstAxis]) };
const radiansPerStep = ${angleOfStep(words)};
const { scores } = phasor.attention({
  q: { shape: [2, ${words}, 2], data: Float32Array.from([...firstAxis, ...secondAxis]) },
  k,
  v: k,
  mask: 'causal',
  scale: 1,
  encoding: { ...encoding, temperature_max: radiansPerStep },
  tokenTensors: { steps: full([2, ${words}, 1], 1), gate: { shape: [2, ${words}], data: Float32Array.from([...gates.data, ...gates.data]) } },
  outputs: ['scores'],
});
const distance = full([${words}, ${words}], 0);
for (let query = 0; query < ${words}; query += 1) {
  for (let key = 0; key < query; key += 1) {
    const at = query * ${words} + key;
    distance.data[at] = Math.max(0, Math.atan2(-scores.data[${words} ** 2 + at], scores.data[at]) / radiansPerStep);
  }
}
`,
  };
}
