// The figure as programs.
import type { EncodingInfo, Tensor } from '../../../engine/index.ts';
import type { SourceCode } from '../../contract/kind.ts';
import { layerCode } from '../../export/layer-code.ts';
import type { Spec } from './index.ts';
import { layerOf, pointsOf } from './typed-points.ts';

export function code(
  spec: Spec,
  encodings: readonly EncodingInfo[],
  numbers?: { readonly embeddings: Tensor; readonly order: readonly number[] },
): SourceCode {
  const typed = pointsOf(spec.points);
  const size = typed.length > 0 ? typed.length / 2 : spec.count;
  const start = layerCode({ ...layerOf(spec), encoding: spec.encoding, offset: 0, width: 2 }, encodings, size, numbers?.embeddings);
  const literal = numbers && `[${numbers.order.join(', ')}]`;
  const comment = 'For each place of the other order the number of the point there.';
  const twice = 'before, after = layer(embeddings)[2], layer(embeddings[order])[2]\n';
  return {
    numpy: `${start.numpy}# ${comment}
order = np.array(${literal ?? "np.load('order.npy')"}).astype(int)
${twice}differences = np.abs(after - before[order]).max(axis=1)
`,
    pytorch: `${literal ? '' : 'import numpy as np\n'}${start.pytorch}# ${comment}
order = ${literal ? `torch.tensor(${literal})` : "torch.from_numpy(np.load('order.npy')).long()"}
${twice}differences = (after - before[order]).abs().max(dim=1).values
`,
    phasor: `${start.phasor}// ${comment}
const { data: drawn } = phasor.gaussian({ seed: ${spec.seed}, shape: [${size}] });
const order = ${literal ?? 'Array.from(drawn.keys()).sort((a, b) => drawn[a] - drawn[b])'};
const { before, output: after, perToken: differences } = phasor.reorder({ x: embeddings, order, ${start.request} });
`.replace(literal ? /const \{ data: drawn \}.*\n/ : /^$/, ''),
  };
}
