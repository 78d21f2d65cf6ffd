// One row of attention as programs that leave every step of it.
import { pytorchOf } from '../../../encodings/code/parts/program.ts';
import type { EncodingInfo, Tensor } from '../../../engine/index.ts';
import { tokenize } from '../../../sentence/tokens.ts';
import { headIndex } from '../../compute/sentence-fields.ts';
import type { SourceCode } from '../../contract/kind.ts';
import { encodingCode } from '../../export/encoding-code.ts';
import { layerCode } from '../../export/layer-code.ts';
import type { Spec } from './index.ts';
import { queryOf } from './query.ts';

/** The steps, in the part of NumPy that is translated to PyTorch. */
function stepsOf({ heads, mask }: Spec, functions: readonly string[], bias: string, scale: string, query: number, head: number): string {
  const has = (name: string): boolean => functions.includes(name);
  const row = `[${head}, ${query}]`;
  const added = [
    ...(has('content_bias') ? [`content_bias(q, k, positions, positions, scale)${row}`] : []),
    ...(has('bias') ? [`${bias}${row}`] : []),
  ];
  return [
    `heads, width = ${heads}, embeddings.shape[1] // ${heads}`,
    has('encode') ? 'x = embeddings + encode(positions, embeddings.shape[1])' : 'x = embeddings',
    'q = k = x.reshape(len(x), heads, width).swapaxes(0, 1)',
    `scale = ${scale}`,
    ...(has('rotate') ? ["q, k = rotate(q, positions), rotate(k, positions, role='key')"] : []),
    `product = (q @ k.swapaxes(-1, -2))${row}`,
    'scaled = scale * product',
    `bias_row = ${added.length > 0 ? added.join(' + ') : '0 * scaled'}`,
    'score = scaled + bias_row',
    ...(mask === 'causal' ? [`score = np.where(positions <= positions[${query}], score, -np.inf)`] : []),
    'exponential = np.exp(score - score.max())',
    'weight = exponential / exponential.sum()',
    'chain = np.stack([product, scaled, bias_row, score, exponential, weight])',
    '',
  ].join('\n');
}

export function code(spec: Spec, encodings: readonly EncodingInfo[], numbers?: { readonly embeddings: Tensor }): SourceCode {
  const length = tokenize(spec.text).length;
  const query = queryOf(spec, length);
  const head = headIndex(spec);
  const { encoding, heads, mask, offset, width } = spec;
  const layer = layerCode({ ...spec, projections: 'identity', seed: 1 }, encodings, length, numbers?.embeddings);
  const own = encodingCode(encoding, encodings);
  const isAdded = encodings.find(({ id }) => id === encoding.id)?.injection === 'input';
  const bias = /^def bias\(.*scale=/m.test(own.numpy) ? 'bias(heads, positions, positions, scale)' : 'bias(heads, positions, positions)';
  const steps = stepsOf(spec, own.functions, bias, own.scale, query, head);
  // The embeddings are written at the end of the programs of a layer.
  const givenNumbers = (name: 'numpy' | 'pytorch'): string => layer[name].slice(layer.functions[name].length);
  const positions = (module: string): string => `positions = ${module}.arange(${offset}, ${offset + length}, dtype=${module}.float64)\n`;
  const numpyImport = /\bnp\./.test(givenNumbers('pytorch')) && !/^import numpy/m.test(own.pytorch) ? 'import numpy as np\n' : '';
  const each = width / heads;
  return {
    numpy: `${own.numpy}\n${givenNumbers('numpy')}${positions('np')}\n${steps}`,
    pytorch: `${numpyImport}${own.pytorch}\n${givenNumbers('pytorch')}${positions('torch')}\n${pytorchOf(steps).replace(
      '-torch.inf',
      "float('-inf')",
    )}`,
    phasor: `${layer.phasor}const positions = Array.from({ length: ${length} }, (_, place) => ${offset} + place);
${
  isAdded
    ? `const x = phasor.combine({ x: embeddings, table: phasor.table({ encoding: ${own.choice}, width: ${width}, positions }) });\n`
    : 'const x = embeddings;\n'
}// The heads of queries and keys are slices of the embeddings.
const q = { shape: [${heads}, ${length}, ${each}], data: x.data, strides: [${each}, ${width}, 1] };
const row = phasor.scoreChain({
  q, k: q, encoding: ${isAdded ? "'none'" : own.choice}, mask: '${mask}', head: ${head}, query: ${query}, queryPositions: positions, keyPositions: positions,
});
const steps = [row.product, row.scaled, row.bias, row.score, row.exponential, row.weight];
const chain = { shape: [6, ${length}], data: Float32Array.from(steps.flatMap(({ data }) => [...data])) };
`,
  };
}
