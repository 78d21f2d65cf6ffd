// The figure as programs.
import type { EncodingInfo, Tensor } from '../../../engine/index.ts';
import { tokenize } from '../../../sentence/tokens.ts';
import { arranged } from '../../compute/sentence-fields.ts';
import type { SourceCode } from '../../contract/kind.ts';
import { layerCode } from '../../export/layer-code.ts';
import type { Spec } from './index.ts';

export function code(spec: Spec, encodings: readonly EncodingInfo[], numbers?: { readonly embeddings: Tensor }): SourceCode {
  const { order } = arranged(spec.text, spec.order);
  const places = `[${order.join(', ')}]`;
  const { numpy, pytorch, phasor, request } = layerCode(spec, encodings, tokenize(spec.text).length, numbers?.embeddings);
  const twice = `# For each place the number of the word there.
order = ${places}
before, after = layer(embeddings)[2], layer(embeddings[order])[2]
`;
  return {
    numpy: `${numpy}${twice}differences = np.abs(after - before[order]).max(axis=1)\n`,
    pytorch: `${pytorch}${twice}differences = (after - before[order]).abs().max(dim=1).values\n`,
    phasor: `${phasor}// For each place the number of the word there.
const order = ${places};
const { before, output: after, perToken: differences } = phasor.reorder({ x: embeddings, order, ${request} });
`,
  };
}
