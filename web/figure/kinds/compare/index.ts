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

const getAxes = (show: Quantity) => ({ rowAxis: 'query', columnAxis: show === 'table' ? 'channel' : 'key' });

const findMaxAbsValue = ({ a, b }: MatrixPair): number => Math.max(...[a, b].flatMap(({ data }) => [-extent(data).min, extent(data).max]));
const computeTolerance = (pair: MatrixPair): number => TOLERANCE * Math.max(1, findMaxAbsValue(pair));

type Results = MatrixPair & { readonly difference: MatrixPair['a']; readonly maxAbsDiff: number };

const createHeadingA = ({ nameA, encoding }: Spec): string => strings.encodingA(nameA || (fields.encoding.print(encoding) ?? ''));
const createHeadingB = ({ nameB, other }: Spec): string => strings.encodingB(nameB || (fields.other.print(other) ?? ''));

function formatReadoutValues(
  { a, b, difference, rows, columns }: Results,
  { show }: Spec,
  cell: number,
): [string, string, string, string, string] {
  const columnCount = entryAt(a.shape, 1);
  const column = cell % columnCount;
  const cellName = strings.cellNames[show](rows[Math.floor(cell / columnCount)] as string, columns?.[column] ?? String(column));
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
    const { columns: columnCount, each: panelWidth } = fitColumns(3, frame.width, MIN_MATRIX_WIDTH);
    const isSigned = show === 'table' || show === 'bias' || show === 'scores';
    const range = commonRange([a, b]) ?? [0, 0];
    const sharedRange = isSigned ? divergingScale(range, frame.theme).domain : range;
    const createPanel = (heading: string, tensor: MatrixPair['a'], scale: 'sequential' | 'diverging', options: object): Scene =>
      withHeading(
        matrixScene({
          width: panelWidth,
          maxHeight: frame.maxHeight === undefined ? undefined : frame.maxHeight - TITLE_HEIGHT,
          theme: frame.theme,
          grid: toGrid(tensor),
          scale,
          title: strings.titles[show],
          quantity: strings.quantities[show],
          rowLabels: rows,
          columnLabels: columns,
          rowTitle: strings.axisTitles[show].row,
          columnTitle: strings.axisTitles[show].column,
          ...getAxes(show),
          ...options,
        }),
        heading,
        panelWidth,
      );
    const panelOptions = { range: sharedRange };
    // The colour scale has a minimum range, so that small differences are faint.
    const tolerance = computeTolerance(results);
    const strongDifference = maxAbsDiff > tolerance ? STRONG_DIFFERENCE * (show === 'weights' ? 1 : findMaxAbsValue(results)) : tolerance;
    const isFaint = maxAbsDiff > tolerance && maxAbsDiff < strongDifference;
    const scale = isSigned ? 'diverging' : 'sequential';
    return arrangeInGrid(
      [
        createPanel(createHeadingA(spec), a, scale, panelOptions),
        createPanel(createHeadingB(spec), b, scale, panelOptions),
        createPanel(
          isFaint ? strings.faintDifference(formatNumber(maxAbsDiff, { digits: 2 })) : strings.difference,
          difference,
          'diverging',
          {
            quantity: strings.differenceQuantity,
            ...(maxAbsDiff < strongDifference ? { range: [-strongDifference, strongDifference] } : {}),
          },
        ),
      ],
      { title: strings.question },
      { columns: columnCount, each: panelWidth },
    );
  },
  readout(results, spec, cursor) {
    const { a, difference } = results;
    const [rows = 0, columns = 0] = a.shape;
    const { rowAxis, columnAxis } = getAxes(spec.show);
    const row = cursor[rowAxis];
    const column = cursor[columnAxis];
    if (isIndex(row, rows) && isIndex(column, columns))
      return capitalize(strings.cellReadout(...formatReadoutValues(results, spec, row * columns + column)));
    const { min, max, argmin, argmax } = extent(difference.data);
    if (min === 0 && max === 0) return strings.exactlyEqual;
    return strings.largestDifference(...formatReadoutValues(results, spec, -min > max ? argmin : argmax));
  },
  proof(results, { show }) {
    const quantity = strings.proof.quantity(strings.quantities[show]);
    return makeProof({ ...strings.proof, quantity }, results.maxAbsDiff, computeTolerance(results));
  },
  verdicts: strings.verdicts,
  tables({ a, b, difference, rows, columns, embeddings, channels }, spec) {
    const { show } = spec;
    const matrixLabels = { rowTitle: strings.axisTitles[show].row, columnTitle: strings.axisTitles[show].column, rows, columns };
    const createTitle = (heading: string): string => `${strings.titles[show]}, ${heading}`;
    return [
      { name: 'a', title: createTitle(createHeadingA(spec)), tensor: a, ...matrixLabels },
      { name: 'b', title: createTitle(createHeadingB(spec)), tensor: b, ...matrixLabels },
      { name: 'difference', title: createTitle(strings.difference), tensor: difference, ...matrixLabels },
      ...(embeddings
        ? [
            {
              name: 'embeddings',
              title: strings.embeddingsTitle,
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
              title: strings.channelsTitle,
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
