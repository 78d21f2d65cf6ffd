// Generates code that computes attention from a trained model's queries and keys.
import type { EncodingInfo, Tensor } from '../../engine/index.ts';
import type { TrainedAttention } from '../compute/trained-layer.ts';
import { createEncodingCall } from './encoding-call.ts';
import { formatJsEncoding } from './encoding-choice.ts';
import { formatRows } from './layer-code.ts';
import { pythonArray } from './python-program.ts';

const declareTensor = (name: string, tensor: Tensor): string => {
  const [heads = 0, words = 0, channels = 0] = tensor.shape;
  const rows = formatRows({ shape: [heads * words, channels], data: tensor.data });
  return `const ${name} = { shape: [${heads}, ${words}, ${channels}], data: Float32Array.from(${rows ?? '[]'}.flat()) };`;
};

/**
 * Returns code for the attention of a trained model. For Python, `call` is an expression that uses `values`. For
 * JavaScript, `phasor` assigns q, k and v, and `request` contains the other arguments of `attention`.
 */
export function trainedCode({ q, k, v, attentionEncoding }: TrainedAttention, encodings: readonly EncodingInfo[]) {
  const [heads = 1, , headDim = 1] = q.shape;
  return {
    imports: ['from attention import attention'],
    values: {
      encoding: createEncodingCall(attentionEncoding, encodings, { heads, headDim }),
      queries: pythonArray('queries', q),
      keys: pythonArray('keys', k),
      values: pythonArray('values', v),
    },
    call: "attention(queries, keys, values, encoding, mask='causal')",
    phasor: `import { createPhasor } from 'phasor';

const phasor = await createPhasor();
// Queries and keys of a trained model, with embeddings as values. Shape: [heads, words, channels].
${declareTensor('q', q)}
${declareTensor('k', k)}
${declareTensor('v', v)}
`,
    request: `encoding: ${formatJsEncoding(attentionEncoding)}, mask: 'causal'`,
  };
}
