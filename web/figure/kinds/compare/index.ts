import { divergingScale } from '../../../charts/color.ts';
import { arrangeInGrid, fitColumns } from '../../../charts/compose.ts';
import { entryAt, isIndex } from '../../../charts/entry-at.ts';
import { extent } from '../../../charts/grid.ts';
import { commonRange, matrixScene } from '../../../charts/heatmap/matrix-scene.ts';
import { capitalize, formatNumber } from '../../../charts/number.ts';
import type { Scene } from '../../../charts/scene.ts';
import { TITLE_HEIGHT, withHeading } from '../../../charts/titled.ts';
import { permutationError } from '../../../engine/analysis.ts';
import { createIdentityOrder } from '../../../sentence/order.ts';
import { subtractMatrices } from '../../compute/difference.ts';
import { defineKind, makeProof } from '../../contract/kind.ts';
import { toGrid } from '../../contract/tensor.ts';
import { computeMatrixPair, fields, type MatrixPair, type Quantity, type Spec } from './matrices.ts';
import { strings } from './strings.ts';

/** Tolerance for float32 rounding in sums over channels, relative to the largest value. */
const TOLERANCE = 1e-5;
/** The difference drawn in the strongest colour: absolute for weights, otherwise relative to the largest value. */
const STRONG_DIFFERENCE = 0.25;
/** Minimum width of a matrix with labels, px. */
const MIN_MATRIX_WIDTH = 230;

const axesOf = (show: Quantity) => ({ rowAxis: 'query', columnAxis: show === 'table' ? 'channel' : 'key' });

const maxAbsValue = ({ a, b }: MatrixPair): number => Math.max(...[a, b].flatMap(({ data }) => [-extent(data).min, extent(data).max]));
const toleranceOf = (pair: MatrixPair): number => TOLERANCE * Math.max(1, maxAbsValue(pair));

type Results = MatrixPair & { readonly difference: MatrixPair['a']; readonly maxAbsDiff: number };

const headingA = ({ nameA, encoding }: Spec): string => strings.first(nameA || (fields.encoding.print(encoding) ?? ''));
const headingB = ({ nameB, other }: Spec): string => strings.second(nameB || (fields.other.print(other) ?? ''));

function cellTexts({ a, b, difference, rows, columns }: Results, { show }: Spec, cell: number): [string, string, string, string, string] {
  const count = entryAt(a.shape, 1);
  const column = cell % count;
  const cellName = strings.cells[show](rows[Math.floor(cell / count)] as string, columns?.[column] ?? String(column));
  const [textA, textB, differenceText] = [a, b, difference].map(({ data }) => formatNumber(entryAt(data, cell))) as [
    string,
    string,
    string,
  ];
  return [cellName, strings.quantities[show], textA, textB, differenceText];
}

export const kind = defineKind({
  id: 'compare',
  question: strings.question,
  instruction: strings.instruction,
  caption: strings.caption,
  labels: strings.labels,
  help: strings.help,
  fields,
  aspect: 0.45,
  async compute(spec, context): Promise<Results> {
    const pair = await computeMatrixPair(spec, context);
    const difference = await subtractMatrices(pair.a, pair.b, context.engine);
    const order = createIdentityOrder(entryAt(pair.a.shape, 0));
    const { maxAbsDiff } = await permutationError(context.engine, { before: pair.a, after: pair.b, order });
    return { ...pair, difference, maxAbsDiff };
  },
  scene(results, spec, frame) {
    const { a, b, difference, rows, columns, maxAbsDiff } = results;
    const { show } = spec;
    const { columns: columnCount, each } = fitColumns(3, frame.width, MIN_MATRIX_WIDTH);
    const isSigned = show === 'table' || show === 'bias' || show === 'scores';
    const range = commonRange([a, b]) ?? [0, 0];
    const sharedRange = isSigned ? divergingScale(range, frame.theme).domain : range;
    const createPanel = (heading: string, tensor: MatrixPair['a'], scale: 'sequential' | 'diverging', options: object): Scene =>
      withHeading(
        matrixScene({
          width: each,
          maxHeight: frame.maxHeight === undefined ? undefined : frame.maxHeight - TITLE_HEIGHT,
          theme: frame.theme,
          grid: toGrid(tensor),
          scale,
          title: strings.titles[show],
          quantity: strings.quantities[show],
          rowLabels: rows,
          columnLabels: columns,
          rowTitle: strings.axes[show].row,
          columnTitle: strings.axes[show].column,
          ...axesOf(show),
          ...options,
        }),
        heading,
        each,
      );
    const panelOptions = { range: sharedRange };
    // The colour scale has a minimum range, so that small differences are faint.
    const tolerance = toleranceOf(results);
    const strongDifference = maxAbsDiff > tolerance ? STRONG_DIFFERENCE * (show === 'weights' ? 1 : maxAbsValue(results)) : tolerance;
    const isFaint = maxAbsDiff > tolerance && maxAbsDiff < strongDifference;
    const scale = isSigned ? 'diverging' : 'sequential';
    return arrangeInGrid(
      [
        createPanel(headingA(spec), a, scale, panelOptions),
        createPanel(headingB(spec), b, scale, panelOptions),
        createPanel(isFaint ? strings.faint(formatNumber(maxAbsDiff, { digits: 2 })) : strings.difference, difference, 'diverging', {
          quantity: strings.between,
          ...(maxAbsDiff < strongDifference ? { range: [-strongDifference, strongDifference] } : {}),
        }),
      ],
      { title: strings.question },
      { columns: columnCount, each },
    );
  },
  readout(results, spec, cursor) {
    const { a, difference } = results;
    const [rows = 0, columns = 0] = a.shape;
    const { rowAxis, columnAxis } = axesOf(spec.show);
    const row = cursor[rowAxis];
    const column = cursor[columnAxis];
    if (isIndex(row, rows) && isIndex(column, columns))
      return capitalize(strings.cell(...cellTexts(results, spec, row * columns + column)));
    const { min, max, argmin, argmax } = extent(difference.data);
    if (min === 0 && max === 0) return strings.same;
    return strings.most(...cellTexts(results, spec, -min > max ? argmin : argmax));
  },
  proof(results, { show }) {
    const quantity = strings.proof.quantity(strings.quantities[show]);
    return makeProof({ ...strings.proof, quantity }, results.maxAbsDiff, toleranceOf(results));
  },
  verdicts: strings.verdicts,
  tables({ a, b, difference, rows, columns, embeddings, channels }, spec) {
    const { show } = spec;
    const axes = { rowTitle: strings.axes[show].row, columnTitle: strings.axes[show].column, rows, columns };
    const title = (heading: string): string => `${strings.titles[show]}, ${heading}`;
    return [
      { name: 'a', title: title(headingA(spec)), tensor: a, ...axes },
      { name: 'b', title: title(headingB(spec)), tensor: b, ...axes },
      { name: 'difference', title: title(strings.difference), tensor: difference, ...axes },
      ...(embeddings
        ? [
            {
              name: 'embeddings',
              title: strings.embeddings,
              tensor: embeddings,
              rowTitle: strings.word,
              columnTitle: strings.channel,
              rows,
            },
          ]
        : []),
      ...(channels
        ? [
            {
              name: 'channels',
              title: strings.channels,
              tensor: { shape: [channels.length], data: Float32Array.from(channels) },
              rowTitle: strings.channel,
              columnTitle: strings.channel,
            },
          ]
        : []),
    ];
  },
  loadPrograms: () => import('./code.ts'),
});
