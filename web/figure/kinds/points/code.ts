import type { EncodingInfo, Tensor } from '../../../engine/index.ts';
import type { SourceCode } from '../../contract/kind.ts';
import { withAnalysis } from '../../export/analysis-import.ts';
import { generateLayerCode } from '../../export/layer-code.ts';
import { pythonProgram } from '../../export/python-program.ts';
import type { Spec } from './index.ts';
import { createLayerRequest, parsePoints } from './typed-points.ts';

export function code(
  spec: Spec,
  encodings: readonly EncodingInfo[],
  results?: { readonly embeddings: Tensor; readonly order: readonly number[] },
): SourceCode {
  const coordinates = parsePoints(spec.points);
  const pointCount = coordinates.length > 0 ? coordinates.length / 2 : spec.count;
  const layerProgram = generateLayerCode(
    { ...createLayerRequest(spec), encoding: spec.encoding, positionOffset: 0, dim: 2 },
    encodings,
    pointCount,
    results?.embeddings,
  );
  const orderLiteral = results && `[${results.order.join(', ')}]`;
  const comment = 'order[i] is the index of the point at position i in the other order.';
  return {
    ...pythonProgram({
      imports: [...layerProgram.imports, 'from analysis import permutation_error'],
      values: layerProgram.values,
      lines: [
        `# ${comment}`,
        `order = ${orderLiteral ?? "np.load('order.npy').astype(int)"}`,
        `before, after = ${layerProgram.call('embeddings')}.output, ${layerProgram.call('embeddings[order]')}.output`,
        'differences = permutation_error(before, after, order)',
      ],
    }),
    phasor: withAnalysis(
      `${layerProgram.phasor}// ${comment}
const { data: randomNumbers } = phasor.randomNormal({ seed: ${spec.seed}, shape: [${pointCount}] });
const order = ${orderLiteral ?? 'Array.from(randomNumbers.keys()).sort((a, b) => randomNumbers[a] - randomNumbers[b])'};
const { before, output: after, perToken: differences } = analysis.permutationTest(phasor, { x: embeddings, order, ${layerProgram.request} });
`.replace(orderLiteral ? /const \{ data: randomNumbers \}.*\n/ : /^$/, ''),
    ),
  };
}
