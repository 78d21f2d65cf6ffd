// Programs for the figure: JavaScript runs the model; Python starts from weights, queries and keys, which transformers also returns.
import type { EncodingInfo } from '../../../engine/index.ts';
import type { SourceCode } from '../../contract/kind.ts';
import { pythonArray, pythonProgram } from '../../export/python-program.ts';
import type { Numbers, Spec } from './compute.ts';

export function code(_: Spec, __: readonly EncodingInfo[], numbers?: Numbers): SourceCode {
  if (!numbers) return { python: '', phasor: '', data: {} };
  const { model, layer, head, ids, weights, weightsWithout, pairs, scale, window } = numbers;
  const minDistance = model.causal ? 0 : 1 - ids.length;
  const firstChannels = pairs?.channels.map(([a]) => a);
  const secondChannels = pairs?.channels.map(([, b]) => b);
  const windowMask = window === undefined ? '' : ` & (np.abs(distance) < ${window})`;
  const visibleMask = model.causal ? `(distance >= 0)${windowMask}` : `np.isfinite(distance)${windowMask}`;
  return {
    ...pythonProgram({
      values: {
        attention: pythonArray('attention', weights),
        ...(weightsWithout ? { without: pythonArray('without', weightsWithout) } : {}),
        ...(pairs ? { q: pythonArray('q', pairs.queries), k: pythonArray('k', pairs.keys) } : {}),
      },
      lines: [
        '',
        `# The weights of layer ${layer + 1}, head ${head + 1} (tokens, tokens); transformers returns them with`,
        `# model(input_ids, output_attentions=True).attentions[${layer}][0, ${head}].`,
        ...(pairs ? ['# q and k (tokens, channels) are rotated.'] : []),
        'tokens = len(attention)',
        'place = np.arange(tokens)',
        'distance = place[:, None] - place',
        'def by_distance(weights):',
        `    return np.array([weights[(distance == d)${model.causal ? ' & (place[:, None] > 0)' : ''}].mean() for d in range(${minDistance}, tokens)])`,
        '',
        `profile = np.stack([by_distance(one) for one in (attention,${weightsWithout ? ' without' : ''})])`,
        ...(pairs
          ? [
              '',
              '# The contribution of each pair to the score of the keys that the head attends to, minus the mean over all visible keys.',
              `visible = ${visibleMask}`,
              'above = (attention - visible / visible.sum(axis=1, keepdims=True)) * visible',
              `lift = np.einsum("qk,qc,kc->c", above, q, k) * ${scale} / tokens`,
              `first, second = ${JSON.stringify(firstChannels)}, ${JSON.stringify(secondChannels)}`,
              'pairs = lift[first] + lift[second]',
            ]
          : []),
      ],
    }),
    phasor: `import { openModel } from 'phasor/model';

// The path of the model's folder in Node; its files in a page.
const model = await openModel(${JSON.stringify(model.isShipped ? `models/${model.name}` : model.name)});
const ids = ${JSON.stringify(ids)};
const tokens = ids.length;
const place = { layer: ${layer}, head: ${head} };
const weightsOf = async (changes) => {
  const { shape, data } = await model.attention(ids, { ...place, changes });
  return { shape: shape.slice(1), data };
};
const attention = await weightsOf([]);
const without = ${weightsWithout ? `await weightsOf([{ kind: 'none', layers: [${layer}], heads: [${head}] }])` : 'undefined'};
// The mean weight of each distance, from ${minDistance} on.
const byDistance = ({ data }) =>
  Array.from({ length: tokens - ${minDistance} }, (_, at) => {
    const distance = at + ${minDistance};
    const rows = Array.from({ length: tokens }, (_, row) => row).filter((row) => row >= ${model.causal ? 'Math.max(1, distance)' : 'distance'} && row - distance < tokens);
    return rows.reduce((sum, row) => sum + data[row * tokens + row - distance], 0) / rows.length;
  });
const lines = [attention, without].filter(Boolean).map(byDistance);
const profile = { shape: [lines.length, lines[0].length], data: Float32Array.from(lines.flat()) };
// [heads, tokens, channels]
const { rotatedQueries, rotatedKeys } = await model.queryKeyStates(ids, { layer: ${layer} });
model.dispose();
`,
  };
}
