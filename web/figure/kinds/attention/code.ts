import type { EncodingInfo, Tensor } from '../../../engine/index.ts';
import { tokenize } from '../../../sentence/tokens.ts';
import { clampHeadIndex, withoutTrainedProjections } from '../../compute/sentence-fields.ts';
import type { TrainedAttention } from '../../compute/trained-layer.ts';
import { OFF } from '../../contract/fields.ts';
import type { SourceCode } from '../../contract/kind.ts';
import { generateLayerCode } from '../../export/layer-code.ts';
import { pythonProgram } from '../../export/python-program.ts';
import { trainedCode } from '../../export/trained-code.ts';
import type { Spec } from './compute.ts';

interface AttentionResults {
  readonly embeddings: Tensor;
  readonly trained?: TrainedAttention | undefined;
}

function createTrainedProgram(spec: Spec, encodings: readonly EncodingInfo[], results: AttentionResults | undefined): SourceCode {
  if (!results?.trained) return { python: '', phasor: '', data: {} };
  const { imports, values, call, phasor, request } = trainedCode(results.trained, encodings);
  const head = clampHeadIndex(spec);
  return {
    ...pythonProgram({
      imports,
      values,
      lines: [`result = ${call}`, `scores, weights = result.scores[${head}], result.weights[${head}]`],
    }),
    phasor: `${phasor}// Shape of scores and weights: [heads, words, words].
const { scores, weights } = phasor.attention({ q, k, v, ${request}, outputs: ['scores', 'weights'] });
`,
  };
}

export function code(spec: Spec, encodings: readonly EncodingInfo[], results?: AttentionResults): SourceCode {
  if (spec.projections === 'trained') return createTrainedProgram(spec, encodings, results);
  const sink = spec.sink === OFF ? undefined : spec.sink;
  const { imports, values, call, phasor, request } = generateLayerCode(
    { ...withoutTrainedProjections(spec), sink },
    encodings,
    tokenize(spec.text).length,
    results?.embeddings,
  );
  const head = clampHeadIndex(spec);
  const [resultNames, outputs] =
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
    phasor: `${phasor}// Computes only the selected head. Shape of scores and weights: [1, words, words].
const { ${resultNames} } = phasor.selfAttention({ x: embeddings, ${request}, head: ${head}, outputs: [${outputs}] });
`,
  };
}
