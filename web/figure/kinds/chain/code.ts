// Generates programs that compute one row of attention step by step.
import type { EncodingInfo, Tensor } from '../../../engine/index.ts';
import { tokenize } from '../../../sentence/tokens.ts';
import { clampHeadIndex } from '../../compute/sentence-fields.ts';
import type { SourceCode } from '../../contract/kind.ts';
import { withAnalysis } from '../../export/analysis-import.ts';
import { formatJsEncoding } from '../../export/encoding-choice.ts';
import { generateLayerCode } from '../../export/layer-code.ts';
import { pythonProgram } from '../../export/python-program.ts';
import type { Spec } from './index.ts';
import { clampQuery } from './query.ts';

export function code(spec: Spec, encodings: readonly EncodingInfo[], results?: { readonly embeddings: Tensor }): SourceCode {
  const length = tokenize(spec.text).length;
  const query = clampQuery(spec, length);
  const head = clampHeadIndex(spec);
  const { encoding, heads, mask, positionOffset, dim } = spec;
  const layer = generateLayerCode({ ...spec, projections: 'identity', seed: 1 }, encodings, length, results?.embeddings);
  const encodingLiteral = formatJsEncoding(encoding);
  const isAdded = encodings.find(({ id }) => id === encoding.id)?.injection === 'input';
  const headDim = dim / heads;
  const options = `heads=${heads}, head=${head}, query=${query}, positions=positions${mask === 'none' ? '' : `, mask='${mask}'`}`;
  return {
    ...pythonProgram({
      imports: ['from analysis import score_chain'],
      values: layer.values,
      lines: [
        `positions = np.arange(${positionOffset}, ${positionOffset + length})`,
        `chain = score_chain(embeddings, encoding, ${options})`,
      ],
    }),
    phasor: withAnalysis(`${layer.phasor}const positions = Array.from({ length: ${length} }, (_, place) => ${positionOffset} + place);
${
  isAdded
    ? `const x = phasor.combine({ x: embeddings, table: phasor.positionTable({ encoding: ${encodingLiteral}, dim: ${dim}, positions }) });\n`
    : 'const x = embeddings;\n'
}// Each head's queries and keys are slices of x.
const q = { shape: [${heads}, ${length}, ${headDim}], data: x.data, strides: [${headDim}, ${dim}, 1] };
const row = analysis.explainSoftmax(phasor, {
  q, k: q, encoding: ${isAdded ? "'none'" : encodingLiteral}, mask: '${mask}', head: ${head}, query: ${query}, queryPositions: positions, keyPositions: positions,
});
const steps = [row.product, row.scaled, row.bias, row.score, row.exponential, row.weight];
const chain = { shape: [6, ${length}], data: Float32Array.from(steps.flatMap(({ data }) => [...data])) };
`),
  };
}
