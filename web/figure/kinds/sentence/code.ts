// The figure as programs.
import type { EncodingInfo } from '../../../engine/index.ts';
import { tokenize } from '../../../sentence/tokens.ts';
import { headIndex } from '../../compute/sentence-fields.ts';
import type { SourceCode } from '../../contract/kind.ts';
import { layerCode } from '../../export/layer-code.ts';
import type { Numbers, Spec } from './compute.ts';

export function code(spec: Spec, encodings: readonly EncodingInfo[], numbers?: Numbers): SourceCode {
  const { numpy, pytorch, phasor, request } = layerCode(spec, encodings, tokenize(spec.text).length, numbers?.embeddings);
  const head = headIndex(spec);
  const injection = encodings.find(({ id }) => id === spec.encoding.id)?.injection;
  const added =
    injection === 'input'
      ? 'added = encode(positions, embeddings.shape[1])\n'
      : injection === 'score'
        ? `added = bias(heads, positions, positions)[${head}]\n`
        : '';
  const weights = `weights = layer(embeddings)[1][${head}]\n${added}`;
  return {
    numpy: numpy + weights,
    pytorch: pytorch + weights,
    phasor: `${phasor}const { weights } = phasor.layer({ x: embeddings, ${request}, head: ${head}, want: ['weights'] });\n`,
  };
}
