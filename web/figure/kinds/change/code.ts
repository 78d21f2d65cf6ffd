// The figure as programs.
import type { EncodingInfo, Tensor } from '../../../engine/index.ts';
import { tokenize } from '../../../sentence/tokens.ts';
import { arranged } from '../../compute/sentence-fields.ts';
import type { SourceCode } from '../../contract/kind.ts';
import { withAnalysis } from '../../export/analysis-import.ts';
import { layerCode } from '../../export/layer-code.ts';
import { pythonProgram } from '../../export/python-program.ts';
import type { Spec } from './index.ts';

export function code(spec: Spec, encodings: readonly EncodingInfo[], numbers?: { readonly embeddings: Tensor }): SourceCode {
  const { order } = arranged(spec.text, spec.order);
  const positions = `[${order.join(', ')}]`;
  const { imports, values, call, phasor, request } = layerCode(spec, encodings, tokenize(spec.text).length, numbers?.embeddings);
  return {
    ...pythonProgram({
      imports: [...imports, 'from analysis import permutation_error'],
      values,
      lines: [
        `order = ${positions}  # for each place the number of the word there`,
        `before, after = ${call('embeddings')}.output, ${call('embeddings[order]')}.output`,
        'differences = permutation_error(before, after, order)',
      ],
    }),
    phasor: withAnalysis(`${phasor}// For each place the number of the word there.
const order = ${positions};
const { before, output: after, perToken: differences } = analysis.permutationTest(phasor, { x: embeddings, order, ${request} });
`),
  };
}
