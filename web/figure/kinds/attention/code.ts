// The figure as programs.
import type { EncodingInfo, Tensor } from '../../../engine/index.ts';
import { tokenize } from '../../../sentence/tokens.ts';
import { headIndex } from '../../compute/sentence-fields.ts';
import { OFF } from '../../contract/fields.ts';
import type { SourceCode } from '../../contract/kind.ts';
import { layerCode } from '../../export/layer-code.ts';
import type { Spec } from './index.ts';

export function code(spec: Spec, encodings: readonly EncodingInfo[], numbers?: { readonly embeddings: Tensor }): SourceCode {
  const sink = spec.sink === OFF ? undefined : spec.sink;
  const { numpy, pytorch, phasor, request } = layerCode({ ...spec, sink }, encodings, tokenize(spec.text).length, numbers?.embeddings);
  const head = headIndex(spec);
  const [taken, want] =
    sink === undefined
      ? ['scores, weights', "'scores', 'weights'"]
      : ['scores, weights, sink_weights', "'scores', 'weights', 'sinkWeights'"];
  const chosen =
    sink === undefined
      ? `${taken} = (each[${head}] for each in layer(embeddings)[:2])\n`
      : `scores, weights, _, sink_weights = layer(embeddings)\n${taken} = (each[${head}] for each in (${taken}))\n`;
  return {
    numpy: numpy + chosen,
    pytorch: pytorch + chosen,
    phasor: `${phasor}// [1, words, words] each: the head that is asked for.
const { ${taken.replace('sink_weights', 'sinkWeights: sink_weights')} } = phasor.layer({ x: embeddings, ${request}, head: ${head}, want: [${want}] });
`,
  };
}
