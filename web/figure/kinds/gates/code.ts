import type { EncodingInfo, Tensor } from '../../../engine/index.ts';
import { clampHeadIndex } from '../../compute/sentence-fields.ts';
import type { SourceCode } from '../../contract/kind.ts';
import { formatRows } from '../../export/layer-code.ts';
import { pythonArray, pythonProgram } from '../../export/python-program.ts';
import { CLOSED_LOG_GATE } from './compute.ts';
import type { Spec } from './index.ts';
import { programStartCode } from './opening.ts';
import { selectiveCode } from './selective-code.ts';

/** @param results the embeddings and gates, which are not part of the spec */
export function code(
  spec: Spec,
  _: readonly EncodingInfo[],
  results?: { readonly embeddings: Tensor; readonly gates: readonly number[] },
): SourceCode {
  const { dim, heads, scores, method } = spec;
  const headDim = dim / heads;
  const firstChannel = clampHeadIndex(spec) * headDim;
  const x = results?.embeddings;
  const wordCount = x?.shape[0] ?? 0;
  const embeddingsLiteral = formatRows(x);
  const gatesLiteral = `[${(results?.gates ?? []).join(', ')}]`;
  const hasEqualScores = scores === 'equal';
  const values = { embeddings: pythonArray('embeddings', x), gates: { expression: `np.array(${gatesLiteral})` } };
  if (method === 'rope_selective')
    return selectiveCode({
      dim,
      firstChannel,
      headDim,
      hasEqualVectors: hasEqualScores,
      wordCount,
      embeddingsLiteral,
      gatesLiteral,
      values,
    });
  const gateComment = '# The gate of a word multiplies the weights of all earlier words. The logarithm of a gate of 0 must be finite.';
  return {
    ...pythonProgram({
      imports: ['from attention import attention', 'from forgetting import Forgetting, decay_bias'],
      values,
      lines: [
        gateComment,
        `log_gates = np.log(np.maximum(gates, 1e-300)) * (gates > 0) - ${-CLOSED_LOG_GATE}.0 * (gates == 0)`,
        `x = ${hasEqualScores ? '0 * ' : ''}embeddings[None, :, ${firstChannel}:${firstChannel + headDim}]${hasEqualScores ? '  # all scores are equal' : ''}`,
        "weights = attention(x, x, x, Forgetting(), mask='causal', log_gates=log_gates[None]).weights[0]",
        'decay = decay_bias(log_gates[None], len(gates))[0]',
      ],
    }),
    phasor: `${programStartCode({ wordCount, dim, embeddingsLiteral, gateComment, gatesLiteral })}const log_gates = { shape: [1, ${wordCount}], data: Float32Array.from(${gatesLiteral}, (gate) => (gate === 0 ? ${CLOSED_LOG_GATE} : Math.log(gate))) };
${
  hasEqualScores
    ? `// All scores are equal.\nconst x = { shape: [1, ${wordCount}, ${headDim}], data: new Float32Array(${wordCount * headDim}) };`
    : `const x = { shape: [1, ${wordCount}, ${headDim}], data: embeddings.data, strides: [${dim}, ${dim}, 1], offset: ${firstChannel} };`
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
// Both have shape [words, words], because there is only one head.
const weights = { shape: [${wordCount}, ${wordCount}], data: attention.weights.data };
const decay = { shape: [${wordCount}, ${wordCount}], data: attention.bias.data };
`,
  };
}
