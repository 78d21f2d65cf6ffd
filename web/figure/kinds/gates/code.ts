import type { EncodingInfo, Tensor } from '../../../engine/index.ts';
import { headIndex } from '../../compute/sentence-fields.ts';
import type { SourceCode } from '../../contract/kind.ts';
import { literalRows } from '../../export/layer-code.ts';
import { pythonArray, pythonProgram } from '../../export/python-program.ts';
import { CLOSED_LOG_GATE } from './compute.ts';
import type { Spec } from './index.ts';
import { programStart } from './opening.ts';
import { selectiveCode } from './selective-code.ts';

/** @param numbers the embeddings and gates, which are not part of a spec */
export function code(
  spec: Spec,
  _: readonly EncodingInfo[],
  numbers?: { readonly embeddings: Tensor; readonly gates: readonly number[] },
): SourceCode {
  const { dim, heads, scores, method } = spec;
  const headDim = dim / heads;
  const firstChannel = headIndex(spec) * headDim;
  const x = numbers?.embeddings;
  const words = x?.shape[0] ?? 0;
  const rows = literalRows(x);
  const gates = `[${(numbers?.gates ?? []).join(', ')}]`;
  const hasEqualScores = scores === 'equal';
  const values = { embeddings: pythonArray('embeddings', x), gates: { expression: `np.array(${gates})` } };
  if (method === 'rope_selective')
    return selectiveCode({ dim, from: firstChannel, headDim, isEqual: hasEqualScores, words, rows, gates, values });
  const note = '# The gate of a word multiplies the weights of all earlier words. The logarithm of a gate of 0 must be finite.';
  return {
    ...pythonProgram({
      imports: ['from attention import attention', 'from forgetting import Forgetting, decay_bias'],
      values,
      lines: [
        note,
        `log_gates = np.log(np.maximum(gates, 1e-300)) * (gates > 0) - ${-CLOSED_LOG_GATE}.0 * (gates == 0)`,
        `x = ${hasEqualScores ? '0 * ' : ''}embeddings[None, :, ${firstChannel}:${firstChannel + headDim}]${hasEqualScores ? '  # all scores are equal' : ''}`,
        "weights = attention(x, x, x, Forgetting(), mask='causal', log_gates=log_gates[None]).weights[0]",
        'decay = decay_bias(log_gates[None], len(gates))[0]',
      ],
    }),
    phasor: `${programStart({ words, dim, rows, note, gates })}const log_gates = { shape: [1, ${words}], data: Float32Array.from(${gates}, (gate) => (gate === 0 ? ${CLOSED_LOG_GATE} : Math.log(gate))) };
${
  hasEqualScores
    ? `// All scores are equal.\nconst x = { shape: [1, ${words}, ${headDim}], data: new Float32Array(${words * headDim}) };`
    : `const x = { shape: [1, ${words}, ${headDim}], data: embeddings.data, strides: [${dim}, ${dim}, 1], offset: ${firstChannel} };`
}
const attention = phasor.attention({
  q: x,
  k: x,
  v: x,
  mask: 'causal',
  encoding: 'forgetting',
  tokenTensors: { log_gates },
  outputs: ['weights', 'bias'],
});
// [words, words] each, of the only head.
const weights = { shape: [${words}, ${words}], data: attention.weights.data };
const decay = { shape: [${words}, ${words}], data: attention.bias.data };
`,
  };
}
