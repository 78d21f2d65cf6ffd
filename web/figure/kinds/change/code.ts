import type { EncodingInfo, Tensor } from '../../../engine/index.ts';
import { tokenize } from '../../../sentence/tokens.ts';
import { splitSentence, withoutTrainedProjections } from '../../compute/sentence-fields.ts';
import type { TrainedAttention } from '../../compute/trained-layer.ts';
import type { SourceCode } from '../../contract/kind.ts';
import { withAnalysis } from '../../export/analysis-import.ts';
import { generateLayerCode } from '../../export/layer-code.ts';
import { pythonArray, pythonProgram } from '../../export/python-program.ts';
import { trainedCode } from '../../export/trained-code.ts';
import type { Spec } from './index.ts';

interface ChangeResults {
  readonly embeddings: Tensor;
  readonly trained?: readonly [before: TrainedAttention, after: TrainedAttention] | undefined;
}

function createTrainedProgram(spec: Spec, encodings: readonly EncodingInfo[], results: ChangeResults | undefined): SourceCode {
  if (!results?.trained) return { python: '', phasor: '', data: {} };
  const [attentionBefore, attentionAfter] = results.trained;
  const { order } = splitSentence(spec.text, spec.order);
  const { imports, values, call } = trainedCode(attentionBefore, encodings);
  const { phasor, request } = trainedCode(attentionAfter, encodings);
  return {
    ...pythonProgram({
      imports: [...imports, 'from analysis import permutation_error'],
      values: {
        ...values,
        moved_queries: pythonArray('moved_queries', attentionAfter.q),
        moved_keys: pythonArray('moved_keys', attentionAfter.k),
      },
      lines: [
        `order = [${order.join(', ')}]  # the index of the word at each position`,
        'join = lambda heads: np.concatenate(list(heads), axis=-1)',
        `before = join(${call}.output)`,
        `after = join(${call.replace('queries, keys, values', 'moved_queries, moved_keys, values[:, order]')}.output)`,
        'differences = permutation_error(before, after, order)',
      ],
    }),
    phasor: `${phasor}// q and k for the new order. They depend on the order, because an earlier layer also encodes positions.
const { output: after } = phasor.attention({ q, k, v, ${request} });
`,
  };
}

export function code(spec: Spec, encodings: readonly EncodingInfo[], results?: ChangeResults): SourceCode {
  if (spec.projections === 'trained') return createTrainedProgram(spec, encodings, results);
  const { order } = splitSentence(spec.text, spec.order);
  const positions = `[${order.join(', ')}]`;
  const { imports, values, call, phasor, request } = generateLayerCode(
    withoutTrainedProjections(spec),
    encodings,
    tokenize(spec.text).length,
    results?.embeddings,
  );
  return {
    ...pythonProgram({
      imports: [...imports, 'from analysis import permutation_error'],
      values,
      lines: [
        `order = ${positions}  # the index of the word at each position`,
        `before, after = ${call('embeddings')}.output, ${call('embeddings[order]')}.output`,
        'differences = permutation_error(before, after, order)',
      ],
    }),
    phasor: withAnalysis(`${phasor}// The index of the word at each position.
const order = ${positions};
const { before, output: after, perToken: differences } = analysis.permutationTest(phasor, { x: embeddings, order, ${request} });
`),
  };
}
