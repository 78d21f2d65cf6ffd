// The figure as programs.
import type { EncodingInfo, Tensor } from '../../../engine/index.ts';
import { tokenize } from '../../../sentence/tokens.ts';
import { headIndex } from '../../compute/sentence-fields.ts';
import { OFF } from '../../contract/fields.ts';
import type { SourceCode } from '../../contract/kind.ts';
import { layerCode } from '../../export/layer-code.ts';
import { pythonProgram } from '../../export/python-program.ts';
import type { Spec } from './index.ts';

export function code(spec: Spec, encodings: readonly EncodingInfo[], numbers?: { readonly embeddings: Tensor }): SourceCode {
  const sink = spec.sink === OFF ? undefined : spec.sink;
  const { imports, values, call, phasor, request } = layerCode(
    { ...spec, sink },
    encodings,
    tokenize(spec.text).length,
    numbers?.embeddings,
  );
  const head = headIndex(spec);
  const [taken, want] =
    sink === undefined
      ? ['scores, weights', "'scores', 'weights'"]
      : ['scores, weights, sinkWeights: sink_weights', "'scores', 'weights', 'sinkWeights'"];
  return {
    ...pythonProgram({
      imports,
      values,
      lines: [
        `result = ${call('embeddings')}`,
        `scores, weights = result.scores[${head}], result.weights[${head}]`,
        ...(sink === undefined ? [] : [`sink_weights = result.sink_weights[${head}]`]),
      ],
    }),
    phasor: `${phasor}// [1, words, words] each: the head that is asked for.
const { ${taken} } = phasor.selfAttention({ x: embeddings, ${request}, head: ${head}, outputs: [${want}] });
`,
  };
}
