// The map of a long sequence as programs. NumPy and PyTorch compute one row of cells at a time: a whole matrix would not fit into memory.
import { drawingFunctions } from '../../encodings/code/parts/drawn.ts';
import type { EncodingInfo } from '../../engine/index.ts';
import type { SourceCode } from '../kind.ts';
import { attentionCode } from '../take-away/attention-code.ts';
import { encodingCode } from '../take-away/encoding-code.ts';
import { type LongSpec, regionOf } from './long-numbers.ts';

/** What `gaussian` is called with, if the encoding does not bring the function along. */
function drawing(before: string, language: 'numpy' | 'pytorch'): string {
  return before.includes('def gaussian(')
    ? ''
    : `import math\n\n${language === 'pytorch' ? 'import numpy as np\n' : ''}\n${drawn(before, language)}\n`;
}

/** `random` may be there already. */
function drawn(before: string, language: 'numpy' | 'pytorch'): string {
  const text = drawingFunctions('gaussian(', language);
  return before.includes('def random(') ? text.slice(text.indexOf('def gaussian(')) : text;
}

export function longCode(spec: LongSpec, encodings: readonly EncodingInfo[]): SourceCode {
  const { length, width, mask, window, period, seed } = spec;
  const { rows, columns, cell } = regionOf(spec);
  const distinct = period === 0 ? length : Math.min(period, length);
  const own = attentionCode(spec.encoding, encodings, { mask });
  const inWindow = (where: string, softmax: string): string =>
    window > 0
      ? `    scores = ${where}(abs(keys - queries[:, None]) < ${window}, scores, -${where === 'np.where' ? 'np' : 'torch'}.inf)
    weights = ${softmax}
`
      : '';
  const loop = (where: string, softmax: string, axis: string): string => `means = []
for first in range(${rows[0]}, ${rows[1]}, ${cell}):
    end = min(first + ${cell}, ${rows[1]})
    queries = keys[first:end]
    scores, weights, _ = attention(x[:, first:end], x, x, queries, keys)
${inWindow(where, softmax)}    strip = weights[0, :, ${columns[0]}:${columns[1]}].mean(${axis}=0)
    means.append([float(strip[at : at + ${cell}].mean()) for at in range(0, ${columns[1] - columns[0]}, ${cell})])
`;
  const exact = 'np.exp(scores - scores.max(axis=-1, keepdims=True))\n    weights = weights / weights.sum(axis=-1, keepdims=True)';
  return {
    numpy: `${own.numpy}
${drawing(own.numpy, 'numpy')}
# The same ${distinct} vectors again and again.
x = gaussian(${seed}, (${distinct}, ${width}))[np.arange(${length}) % ${distinct}][None]
keys = np.arange(${length}, dtype=np.float64)
${loop('np.where', exact, 'axis')}means = np.array(means)
`,
    pytorch: `${own.pytorch}
${drawing(own.pytorch, 'pytorch')}
# The same ${distinct} vectors again and again.
x = gaussian(${seed}, (${distinct}, ${width}))[torch.arange(${length}) % ${distinct}][None]
keys = torch.arange(${length}, dtype=torch.float64)
${loop('torch.where', 'torch.softmax(scores, dim=-1)', 'dim')}means = torch.tensor(means)
`,
    phasor: `import { createPhasor } from 'phasor';

const phasor = await createPhasor();
// The same ${distinct} vectors again and again.
const { data: drawn } = phasor.gaussian({ seed: ${seed}, shape: [${distinct}, ${width}] });
const x = { shape: [1, ${length}, ${width}], data: Float32Array.from({ length: ${length * width} }, (_, at) => drawn[at % drawn.length]) };
const v = { shape: [1, ${length}, 1], data: new Float32Array(${length}) };
const region = { rows: [${rows.join(', ')}], columns: [${columns.join(', ')}], cell: [${cell}, ${cell}] };
const { map } = phasor.attention({ q: x, k: x, v, encoding: ${encodingCode(spec.encoding, encodings).choice}, mask: '${mask}',${
      window > 0 ? ` window: ${window},` : ''
    } want: ['map'], map: region });
const means = { shape: map.mean.shape.slice(1), data: map.mean.data };
`,
  };
}
