import type { EncodingInfo, Tensor } from '../../../engine/index.ts';
import { encodingSpec } from '../../contract/fields.ts';
import type { SourceCode } from '../../contract/kind.ts';
import { withAnalysis } from '../../export/analysis-import.ts';
import { createEncodingCall } from '../../export/encoding-call.ts';
import { formatJsEncoding } from '../../export/encoding-choice.ts';
import { generateLayerCode } from '../../export/layer-code.ts';
import { type PythonValue, pythonArray, pythonProgram } from '../../export/python-program.ts';
import { countPatchesPerSide, gridEncoding, type PatchesSpec } from './compute.ts';

function orderProgram({ arrangement, chosen, partner, seed }: PatchesSpec, patchCount: number): string {
  const identityOrder = `Array.from({ length: ${patchCount} }, (_, place) => place)`;
  if (arrangement === 'original') return `const order = ${identityOrder};`;
  if (arrangement === 'swapped')
    return `const order = ${identityOrder};\n[order[${chosen}], order[${partner}]] = [order[${partner}], order[${chosen}]];`;
  return `const { data: randomNumbers } = phasor.randomNormal({ seed: ${seed}, shape: [${patchCount}] });
const order = Array.from(randomNumbers.keys()).sort((a, b) => randomNumbers[a] - randomNumbers[b]);`;
}

export function code(
  spec: PatchesSpec,
  encodings: readonly EncodingInfo[],
  results?: { readonly embeddings: Tensor; readonly order: readonly number[] },
): SourceCode {
  const side = countPatchesPerSide(spec);
  const patchCount = side * side;
  const dim = 3 * Number(spec.patch) ** 2;
  const { heads, projections, seed } = spec;
  const head = Math.min(spec.head, heads) - 1;
  const isTable = spec.encoding.id === 'sinusoidal_grid';
  const encoding = isTable ? encodingSpec('none') : gridEncoding(spec);
  const layer = { encoding, heads, projections, seed, dim, mask: 'none', positionOffset: 0 } as const;
  const { imports, values, call, phasor, request } = generateLayerCode(layer, encodings, patchCount, results?.embeddings);
  const order = `// order[i] is the index of the patch at position i.\n${orderProgram(spec, patchCount)}\n`;
  const positions = results && { shape: [patchCount], data: Float32Array.from(results.order) };
  const python = (table: string, lines: readonly string[], others: { readonly [variable: string]: PythonValue } = {}) =>
    pythonProgram({
      imports: [...imports, 'from analysis import permutation_error'],
      values: { ...values, ...others, order: pythonArray('order', positions) },
      lines: [
        ...lines,
        'order = order.astype(int)  # order[i] is the index of the patch at position i',
        `before, result = ${call(`embeddings${table}`)}.output, ${call(`embeddings[order]${table}`)}`,
        `weights, after = result.weights[${head}], result.output`,
        'differences = permutation_error(before, after, order)',
      ],
    });
  if (!isTable) {
    return {
      ...python('', []),
      phasor:
        withAnalysis(`${phasor}${order}const { weights, before, output: after, perToken: differences } = analysis.permutationTest(phasor, { x: embeddings, order, head: ${head}, outputs: ['weights'], ${request} });
`),
    };
  }
  // Layers support only one-dimensional positions, so the two-dimensional position table is added to their input.
  const grid = createEncodingCall(spec.encoding, encodings, { embedDim: dim });
  const rows = [
    `places = np.stack(np.divmod(np.arange(${patchCount}), ${side}), axis=1)  # row and column of each position`,
    `table = grid.position_table(places, ${dim})`,
  ];
  return {
    ...python(' + table', rows, { grid }),
    phasor: withAnalysis(`${phasor}${order}// The row and column at each position.
const positions = { shape: [${patchCount}, 2], data: order.flatMap((_, place) => [Math.floor(place / ${side}), place % ${side}]) };
const table = phasor.positionTable({ encoding: ${formatJsEncoding(spec.encoding)}, positions, dim: ${dim} });
const shuffled = { shape: embeddings.shape, data: Float32Array.from(order.flatMap((patch) => [...embeddings.data.subarray(${dim} * patch, ${dim} * (patch + 1))])) };
const [{ output: before }, { output: after, weights }] = [embeddings, shuffled].map((x) =>
  phasor.selfAttention({ x: phasor.combine({ x, table }), head: ${head}, outputs: ['weights'], ${request} }),
);
const { perToken: differences } = analysis.permutationError(phasor, { before, after, order });
`),
  };
}
