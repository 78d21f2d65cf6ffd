// Exported programs: the JavaScript program runs the model, and the Python program reads the exported weights, queries and keys.
import type { EncodingInfo } from '../../../engine/index.ts';
import type { SourceCode } from '../../contract/kind.ts';
import { pythonArray, pythonProgram } from '../../export/python-program.ts';
import type { Results, Spec } from './compute.ts';

export function code(_: Spec, __: readonly EncodingInfo[], results?: Results): SourceCode {
  if (!results) return { python: '', phasor: '', data: {} };
  const { model, layer, head, ids, weights, weightsWithoutPositions, pairs, scale, window } = results;
  const minDistance = model.causal ? 0 : 1 - ids.length;
  const firstChannels = pairs?.channels.map(([a]) => a);
  const secondChannels = pairs?.channels.map(([, b]) => b);
  const windowMask = window === undefined ? '' : ` & (np.abs(distance) < ${window})`;
  const visibleMask = model.causal ? `(distance >= 0)${windowMask}` : `np.isfinite(distance)${windowMask}`;
  return {
    ...pythonProgram({
      values: {
        attention: pythonArray('attention', weights),
        ...(weightsWithoutPositions ? { without: pythonArray('without', weightsWithoutPositions) } : {}),
        ...(pairs ? { q: pythonArray('q', pairs.queries), k: pythonArray('k', pairs.keys) } : {}),
      },
      lines: [
        '',
        `# Attention weights of layer ${layer + 1}, head ${head + 1}, shape (tokens, tokens). In transformers:`,
        `# model(input_ids, output_attentions=True).attentions[${layer}][0, ${head}].`,
        ...(pairs ? ['# q and k (tokens, channels) are already rotated.'] : []),
        'tokens = len(attention)',
        'positions = np.arange(tokens)',
        'distance = positions[:, None] - positions',
        'def mean_by_distance(weights):',
        `    return np.array([weights[(distance == d)${model.causal ? ' & (positions[:, None] > 0)' : ''}].mean() for d in range(${minDistance}, tokens)])`,
        '',
        `profile = np.stack([mean_by_distance(weights) for weights in (attention,${weightsWithoutPositions ? ' without' : ''})])`,
        ...(pairs
          ? [
              '',
              '# Contribution of each pair to the scores: mean weighted by attention, minus the mean over all visible keys.',
              `visible = ${visibleMask}`,
              'excess = (attention - visible / visible.sum(axis=1, keepdims=True)) * visible',
              `lift = np.einsum("qk,qc,kc->c", excess, q, k) * ${scale} / tokens`,
              `first, second = ${JSON.stringify(firstChannels)}, ${JSON.stringify(secondChannels)}`,
              'pairs = lift[first] + lift[second]',
            ]
          : []),
      ],
    }),
    phasor: `import { openModel } from 'phasor/model';

// In Node, the path of the model's folder. In a page, pass the model's files instead.
const model = await openModel(${JSON.stringify(model.isShipped ? `models/${model.name}` : model.name)});
const ids = ${JSON.stringify(ids)};
const tokens = ids.length;
const selection = { layer: ${layer}, head: ${head} };
const computeWeights = async (changes) => {
  const { shape, data } = await model.attention(ids, { ...selection, changes });
  return { shape: shape.slice(1), data };
};
const attention = await computeWeights([]);
const without = ${weightsWithoutPositions ? `await computeWeights([{ kind: 'none', layers: [${layer}], heads: [${head}] }])` : 'undefined'};
// The mean weight at each distance, starting at ${minDistance}.
const meanByDistance = ({ data }) =>
  Array.from({ length: tokens - ${minDistance} }, (_, at) => {
    const distance = at + ${minDistance};
    const rows = Array.from({ length: tokens }, (_, row) => row).filter((row) => row >= ${model.causal ? 'Math.max(1, distance)' : 'distance'} && row - distance < tokens);
    return rows.reduce((sum, row) => sum + data[row * tokens + row - distance], 0) / rows.length;
  });
const profiles = [attention, without].filter(Boolean).map(meanByDistance);
const profile = { shape: [profiles.length, profiles[0].length], data: Float32Array.from(profiles.flat()) };
// [heads, tokens, channels]
const { rotatedQueries, rotatedKeys } = await model.queryKeyStates(ids, { layer: ${layer} });
model.dispose();
`,
  };
}
