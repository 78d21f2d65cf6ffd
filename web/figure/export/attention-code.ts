// Attention with the encoding of a figure, as a function of a program: attention(q, k, v, queries, keys) -> scores, weights, output.
import { pytorchOf } from '../../encodings/code/parts/program.ts';
import type { EncodingInfo } from '../../engine/index.ts';
import type { EncodingSpec } from '../contract/fields.ts';
import { type EncodingCode, encodingCode } from './encoding-code.ts';

export interface AttentionOptions {
  /** Default: 'none'. */
  readonly mask?: 'none' | 'causal' | undefined;
}

const numpySoftmax = [
  '    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))',
  '    weights = weights / weights.sum(axis=-1, keepdims=True)',
];

/** The function alone, to follow the functions of the encoding. An `input` encoding has its say before, in the embeddings. */
function attentionFunction(
  { functions, scale, numpy, tokens }: EncodingCode,
  mask: 'none' | 'causal',
): { readonly numpy: string; readonly pytorch: string } {
  const has = (name: string): boolean => functions.includes(name);
  const bias = /^def bias\(.*scale=/m.test(numpy) ? 'bias(len(q), queries, keys, scale)' : 'bias(len(q), queries, keys)';
  // Products that the encoding forms itself take unrotated queries and keys.
  const own = /^def products\(q, k, (.*)\):/m.exec(numpy)?.[1];
  const byTokens = /^def rotate\(x, steps/m.test(numpy);
  const rotated = byTokens ? 'rotate(q, steps, gate), rotate(k, steps, gate)' : "rotate(q, queries), rotate(k, keys, role='key')";
  const gates = /^def decay\(.*scale\)/m.test(numpy) ? 'decay(log_gates, queries, keys, scale)' : 'decay(log_gates, queries, keys)';
  const before = [
    `def attention(q, k, v, queries, keys${tokens.map(({ name, optional }) => `, ${name}${optional ? '=None' : ''}`).join('')}):`,
    '    """Scores, weights and output of q, k, v (heads, positions, width); queries and keys are their positions."""',
    '    width = q.shape[-1]',
    `    scale = ${scale}`,
    ...(has('rotate') && own === undefined ? [`    q, k = ${rotated}`] : []),
    own === undefined ? '    scores = scale * q @ k.swapaxes(-1, -2)' : `    scores = scale * products(q, k, ${own})`,
    ...(has('decay') && tokens.some(({ name, optional }) => name === 'log_gates' && optional)
      ? ['    if log_gates is not None:', `        scores = scores + ${gates}`]
      : has('decay')
        ? [`    scores = scores + ${gates}`]
        : []),
    ...(has('content_bias') ? ['    scores = scores + content_bias(q, k, queries, keys, scale)'] : []),
    ...(has('bias') ? [`    scores = scores + ${bias}`] : []),
    ...(has('hidden') ? ['    scores = np.where(hidden(queries, keys), -np.inf, scores)'] : []),
    ...(mask === 'causal' ? ['    scores = np.where(keys <= queries[:, None], scores, -np.inf)'] : []),
  ];
  const after = [
    '    output = weights @ v',
    ...(has('values') ? ['    output = output + values(weights, queries, keys, v.shape[-1])'] : []),
    '    return scores, weights, output',
  ];
  const text = (softmax: readonly string[]): string => [...before, ...softmax, ...after, ''].join('\n');
  return { numpy: text(numpySoftmax), pytorch: pytorchOf(text(['    weights = torch.softmax(scores, axis=-1)'])) };
}

/** The functions of the encoding and of attention with it. */
export function attentionCode(
  spec: EncodingSpec,
  encodings: readonly EncodingInfo[],
  { mask = 'none' }: AttentionOptions = {},
): EncodingCode {
  const code = encodingCode(spec, encodings);
  const { numpy, pytorch } = attentionFunction(code, mask);
  return {
    ...code,
    functions: [...code.functions, 'attention'],
    numpy: `${code.numpy}\n${numpy}\n`,
    pytorch: `${code.pytorch}\n${pytorch}\n`,
  };
}
