// Exported programs for Selective RoPE.
import type { SourceCode } from '../../contract/kind.ts';
import { type PythonValue, pythonProgram } from '../../export/python-program.ts';
import { programStartCode } from './opening.ts';
import { computeStepAngle, ROTATION_PARAMS } from './selective.ts';

export interface SelectiveProgram {
  readonly dim: number;
  readonly firstChannel: number;
  readonly headDim: number;
  readonly hasEqualVectors: boolean;
  readonly wordCount: number;
  /** Undefined if the program reads the embeddings from a file. */
  readonly embeddingsLiteral: string | undefined;
  readonly gatesLiteral: string;
  readonly values: { readonly [variable: string]: PythonValue };
}

const { base, layout } = ROTATION_PARAMS;

export function selectiveCode({
  dim,
  firstChannel,
  headDim,
  hasEqualVectors,
  wordCount,
  embeddingsLiteral,
  gatesLiteral,
  values,
}: SelectiveProgram): SourceCode {
  const gateComment =
    '# The gate of a word is its step. The distance between a key and a query is the sum of the gates after the key, up to the query.';
  return {
    ...pythonProgram({
      imports: ['from attention import attention', 'from rope_selective import RopeSelective'],
      values,
      lines: [
        gateComment,
        hasEqualVectors
          ? `x = np.ones((1, ${wordCount}, ${headDim}))  # all words have the same vector`
          : `x = embeddings[None, :, ${firstChannel}:${firstChannel + headDim}]`,
        `encoding = RopeSelective(base=${base}, layout='${layout}')`,
        `steps = np.ones((1, ${wordCount}, ${headDim / 2}))`,
        "weights = attention(x, x, x, encoding, mask='causal', steps=steps, gate=gates[None]).weights[0]",
        'positions = np.cumsum(gates)',
        'distance = np.tril(positions[:, None] - positions)',
      ],
    }),
    phasor: `${programStartCode({ wordCount, dim, embeddingsLiteral, gateComment, gatesLiteral })}const full = (shape, value) => ({ shape, data: new Float32Array(shape.reduce((product, axis) => product * axis)).fill(value) });
${
  hasEqualVectors
    ? `// All words have the same vector.\nconst x = full([1, ${wordCount}, ${headDim}], 1);`
    : `const x = { shape: [1, ${wordCount}, ${headDim}], data: embeddings.data, strides: [${dim}, ${dim}, 1], offset: ${firstChannel} };`
}
const encoding = { id: 'rope_selective', base: ${base}, layout: '${layout}' };
const attention = phasor.attention({
  q: x,
  k: x,
  v: x,
  mask: 'causal',
  encoding,
  tokenTensors: { steps: full([1, ${wordCount}, ${headDim / 2}], 1), gate: { shape: [1, ${wordCount}], data: gates.data } },
  outputs: ['weights'],
});
// [words, words], from the single head.
const weights = { shape: [${wordCount}, ${wordCount}], data: attention.weights.data };

// The number of steps between a key and a query, computed from the rotation angle of a slow pair. The scores of the queries [1, 0] and [0, 1] are its cosine and negative sine.
const [firstAxis, secondAxis] = [[1, 0], [0, 1]].map((vector) => Array.from({ length: ${wordCount} }, () => vector).flat());
const k = { shape: [2, ${wordCount}, 2], data: Float32Array.from([...firstAxis, ...firstAxis]) };
const radiansPerStep = ${computeStepAngle(wordCount)};
const { scores } = phasor.attention({
  q: { shape: [2, ${wordCount}, 2], data: Float32Array.from([...firstAxis, ...secondAxis]) },
  k,
  v: k,
  mask: 'causal',
  scale: 1,
  encoding: { ...encoding, temperature_max: radiansPerStep },
  tokenTensors: { steps: full([2, ${wordCount}, 1], 1), gate: { shape: [2, ${wordCount}], data: Float32Array.from([...gates.data, ...gates.data]) } },
  outputs: ['scores'],
});
const distance = full([${wordCount}, ${wordCount}], 0);
for (let query = 0; query < ${wordCount}; query += 1) {
  for (let key = 0; key < query; key += 1) {
    const at = query * ${wordCount} + key;
    distance.data[at] = Math.max(0, Math.atan2(-scores.data[${wordCount} ** 2 + at], scores.data[at]) / radiansPerStep);
  }
}
`,
  };
}
