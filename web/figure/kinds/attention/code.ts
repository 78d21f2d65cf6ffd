// The figure as programs.
import type { EncodingInfo, Tensor } from '../../../engine/index.ts';
import { tokenize } from '../../../sentence/tokens.ts';
import type { SourceCode } from '../../contract/kind.ts';
import { layerCode } from '../../export/layer-code.ts';
import { headIndex } from '../../numbers/sentence-fields.ts';
import type { Spec } from './index.ts';

export function code(spec: Spec, encodings: readonly EncodingInfo[], numbers?: { readonly embeddings: Tensor }): SourceCode {
  const { numpy, pytorch, phasor, request } = layerCode(spec, encodings, tokenize(spec.text).length, numbers?.embeddings);
  const head = headIndex(spec);
  const chosen = `scores, weights = (each[${head}] for each in layer(embeddings)[:2])\n`;
  return {
    numpy: numpy + chosen,
    pytorch: pytorch + chosen,
    phasor: `${phasor}// [1, words, words] each: the head that is asked for.
const { scores, weights } = phasor.layer({ x: embeddings, ${request}, head: ${head}, want: ['scores', 'weights'] });
`,
  };
}
