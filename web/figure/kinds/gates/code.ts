// The figure as programs.
import type { EncodingInfo, Tensor } from '../../../engine/index.ts';
import { headIndex } from '../../compute/sentence-fields.ts';
import type { SourceCode } from '../../contract/kind.ts';
import { shortest } from '../../export/csv.ts';
import { CLOSED } from './compute.ts';
import type { Spec } from './index.ts';
import { opening } from './opening.ts';
import { selectiveCode } from './selective-code.ts';

/** Embeddings with more numbers than this are read from the file that the figure offers. */
const MOST_LITERALS = 8192;

function rowsOf({ shape: [rows = 0, columns = 0], data }: Tensor): string {
  const row = (index: number): string => `  [${Array.from(data.subarray(index * columns, (index + 1) * columns), shortest).join(', ')}],`;
  return `[\n${Array.from({ length: rows }, (_, index) => row(index)).join('\n')}\n]`;
}

/** `numbers` are needed: a spec has the words, not what they are multiplied by. */
export function code(
  spec: Spec,
  _: readonly EncodingInfo[],
  numbers?: { readonly embeddings: Tensor; readonly gates: readonly number[] },
): SourceCode {
  const { width, heads, scores, method } = spec;
  const each = width / heads;
  const from = headIndex(spec) * each;
  const x = numbers?.embeddings;
  const words = x?.shape[0] ?? 0;
  const rows = x && x.data.length <= MOST_LITERALS ? rowsOf(x) : undefined;
  const gates = `[${(numbers?.gates ?? []).join(', ')}]`;
  const isEqual = scores === 'equal';
  const head = isEqual ? ' * 0  # all scores are equal' : '';
  if (method === 'rope_selective') return selectiveCode({ width, from, each, isEqual, words, rows, gates });
  const note = '# By place: what a word keeps of everything before it. The logarithm of a gate of 0 has to be finite.';
  return {
    numpy: `import numpy as np

embeddings = ${rows === undefined ? "np.load('embeddings.npy')" : `np.array(${rows}, dtype=np.float32)`}
${note}
gates = np.array(${gates})
log_gates = np.log(np.maximum(gates, 1e-300)) * (gates > 0) + ${CLOSED}.0 * (gates == 0)

q = k = embeddings[:, ${from}:${from + each}]${head}
seen = np.tril(np.ones((len(q), len(q)), dtype=bool))
# The sum of the logarithms after the key, up to the query.
sums = np.cumsum(log_gates)
decay = np.where(seen, sums[:, None] - sums[None, :], 0.0)
scores = np.where(seen, q @ k.T * q.shape[-1] ** -0.5 + decay, -np.inf)
weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
weights = weights / weights.sum(axis=-1, keepdims=True)
`,
    pytorch: `${rows === undefined ? 'import numpy as np\n' : ''}import torch

embeddings = ${rows === undefined ? "torch.from_numpy(np.load('embeddings.npy'))" : `torch.tensor(${rows}, dtype=torch.float32)`}
${note}
gates = torch.tensor(${gates}, dtype=torch.float64)
log_gates = torch.where(gates > 0, torch.log(gates), torch.tensor(${CLOSED}.0, dtype=torch.float64))

q = k = embeddings[:, ${from}:${from + each}]${head}
seen = torch.ones(len(q), len(q), dtype=torch.bool).tril()
# The sum of the logarithms after the key, up to the query.
sums = torch.cumsum(log_gates, 0)
decay = torch.where(seen, sums[:, None] - sums[None, :], 0.0)
scores = torch.where(seen, q @ k.T * q.shape[-1] ** -0.5 + decay, -torch.inf)
weights = torch.softmax(scores, dim=-1)
`,
    phasor: `${opening({ words, width, rows, note, gates })}const log_gates = { shape: [1, ${words}], data: Float32Array.from(${gates}, (gate) => (gate === 0 ? ${CLOSED} : Math.log(gate))) };
${
  isEqual
    ? `// All scores are equal.\nconst x = { shape: [1, ${words}, ${each}], data: new Float32Array(${words * each}) };`
    : `const x = { shape: [1, ${words}, ${each}], data: embeddings.data, strides: [${width}, ${width}, 1], offset: ${from} };`
}
const attention = phasor.attention({
  q: x,
  k: x,
  v: x,
  mask: 'causal',
  encoding: 'forgetting',
  tokenTensors: { log_gates },
  want: ['weights', 'bias'],
});
// [words, words] each: of the one head.
const weights = { shape: [${words}, ${words}], data: attention.weights.data };
const decay = { shape: [${words}, ${words}], data: attention.bias.data };
`,
  };
}
