// The map of a long sequence as programs. NumPy and PyTorch compute one row of cells at a time: a whole matrix would not fit into memory.
import { drawingFunctions } from '../../../encodings/code/parts/drawn.ts';
import type { EncodingInfo } from '../../../engine/index.ts';
import type { SourceCode } from '../../contract/kind.ts';
import { attentionCode } from '../../export/attention-code.ts';
import { encodingCode } from '../../export/encoding-code.ts';
import { type LongSpec, regionOf } from './compute.ts';

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

/** What the programs begin with: the vectors of drawn tokens, or those of a text from the file that the figure offers. */
function sourcesOf({ length, width, period, seed }: LongSpec, count: number, isText: boolean): SourceCode {
  if (isText)
    return {
      numpy:
        "# The embeddings of the words: a file that this figure offers.\nembeddings = np.load('embeddings.npy')\nx = embeddings[None]\n",
      pytorch:
        "# The embeddings of the words: a file that this figure offers.\nembeddings = torch.from_numpy(np.load('embeddings.npy'))\nx = embeddings[None].double()\n",
      phasor: `// The embeddings of the words: a file that this figure offers.
const file = await readFile('embeddings.npy');
const embeddings = { shape: [${count}, ${width}], data: new Float32Array(Uint8Array.from(file.subarray(-4 * ${count * width})).buffer) };
const x = { shape: [1, ${count}, ${width}], data: embeddings.data };
`,
    };
  const distinct = period === 0 ? length : Math.min(period, length);
  const again = `# The same ${distinct} vectors again and again.\n`;
  return {
    numpy: `${again}x = gaussian(${seed}, (${distinct}, ${width}))[np.arange(${length}) % ${distinct}][None]\n`,
    pytorch: `${again}x = gaussian(${seed}, (${distinct}, ${width}))[torch.arange(${length}) % ${distinct}][None]\n`,
    phasor: `// The same ${distinct} vectors again and again.
const { data: drawn } = phasor.gaussian({ seed: ${seed}, shape: [${distinct}, ${width}] });
const x = { shape: [1, ${length}, ${width}], data: Float32Array.from({ length: ${length * width} }, (_, at) => drawn[at % drawn.length]) };
`,
  };
}

interface Sequence {
  readonly length: number;
  readonly words: readonly string[] | undefined;
}

export function code(spec: LongSpec, encodings: readonly EncodingInfo[], sequence?: Sequence): SourceCode {
  const { mask, window } = spec;
  const { length, words: text } = sequence ?? { length: spec.length, words: undefined };
  const isText = text !== undefined;
  const source = sourcesOf(spec, length, isText);
  const { rows, columns, cell } = regionOf(spec, length);
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
${isText ? '' : drawing(own.numpy, 'numpy')}
${source.numpy}keys = np.arange(${length}, dtype=np.float64)
${loop('np.where', exact, 'axis')}means = np.array(means)
`,
    pytorch: `${isText && !/^import numpy/m.test(own.pytorch) ? 'import numpy as np\n' : ''}${own.pytorch}
${isText ? '' : drawing(own.pytorch, 'pytorch')}
${source.pytorch}keys = torch.arange(${length}, dtype=torch.float64)
${loop('torch.where', 'torch.softmax(scores, dim=-1)', 'dim')}means = torch.tensor(means)
`,
    phasor: `${isText ? "import { readFile } from 'node:fs/promises';\n" : ''}import { createPhasor } from 'phasor';

const phasor = await createPhasor();
${source.phasor}const v = { shape: [1, ${length}, 1], data: new Float32Array(${length}) };
const region = { rows: [${rows.join(', ')}], columns: [${columns.join(', ')}], cell: [${cell}, ${cell}] };
const { map } = phasor.attention({ q: x, k: x, v, encoding: ${encodingCode(spec.encoding, encodings).choice}, mask: '${mask}',${
      window > 0 ? ` window: ${window},` : ''
    } want: ['map'], map: region });
const means = { shape: map.mean.shape.slice(1), data: map.mean.data };
`,
  };
}
