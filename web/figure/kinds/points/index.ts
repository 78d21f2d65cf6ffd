import { arrangeInGrid, fitColumns } from '../../../charts/compose.ts';
import { entryAt, isIndex } from '../../../charts/entry-at.ts';
import { extent } from '../../../charts/grid.ts';
import { formatExact, formatNumber, formatRange } from '../../../charts/number.ts';
import { permutationTest } from '../../../engine/analysis.ts';
import { isIdentity, moveWord } from '../../../sentence/order.ts';
import { drawRandomOrder, reorderRows } from '../../compute/seeded-order.ts';
import { choice, count, encoding, type SpecOf, text } from '../../contract/fields.ts';
import { defineKind } from '../../contract/kind.ts';
import { withUsedParams } from '../../contract/parameters.ts';
import { pointSetScene } from './set-scene.ts';
import { strings } from './strings.ts';
import { createLayerRequest, MAX_POINTS, parsePoints } from './typed-points.ts';

/** Tolerance for float32 rounding, relative to the largest output. */
const RELATIVE_TOLERANCE = 1e-5;
const invertOrder = (order: readonly number[]): number[] => {
  const positions = Array<number>(order.length).fill(0);
  for (const [position, point] of order.entries()) positions[point] = position;
  return positions;
};

const fields = {
  encoding: encoding('none'),
  points: text('', parsePoints, false),
  count: count(9, 1, MAX_POINTS),
  mask: choice('none', 'causal'),
  projections: choice('identity', 'orthogonal'),
  seed: count(47, 0, 2 ** 32 - 1),
};
export type Spec = SpecOf<typeof fields>;

export const kind = defineKind({
  id: 'points',
  question: strings.question,
  instruction: strings.instruction,
  caption: strings.caption,
  labels: strings.labels,
  help: strings.help,
  fields,
  aspect: 0.5,
  async compute(spec, { engine }) {
    const coordinates = parsePoints(spec.points);
    const pointCount = coordinates.length > 0 ? coordinates.length / 2 : spec.count;
    const pointsShape = [pointCount, 2];
    const embeddings =
      coordinates.length > 0
        ? { shape: pointsShape, data: Float32Array.from(coordinates) }
        : await engine.randomNormal({ seed: spec.seed, shape: pointsShape });
    const randomOrder = await drawRandomOrder(pointCount, spec.seed, engine);
    const order = isIdentity(randomOrder) ? moveWord(randomOrder, 0, pointCount - 1) : randomOrder;
    const request = { ...createLayerRequest(spec), x: embeddings, encoding: withUsedParams(spec.encoding, engine.encodings), order };
    const { before, output: after, perToken, maxAbsDiff } = await permutationTest(engine, request);
    return { embeddings, order, before, after, differences: perToken, maxAbsDiff };
  },
  scene({ embeddings, order, before, after }, _, { width, maxHeight }) {
    const { columns, each } = fitColumns(2, width, 250, 32);
    const pointPositions = invertOrder(order);
    const restoredOutputs = reorderRows(after, pointPositions);
    const { min, max } = extent([...embeddings.data, ...before.data, ...after.data]);
    const margin = Math.max(1e-3, (max - min) * 0.08);
    const commonSpec = {
      points: embeddings,
      cursorAxis: 'query',
      range: [min - margin, max + margin],
      axes: strings.axisTitles,
      width: each,
      maxHeight,
    } as const;
    return arrangeInGrid(
      [
        pointSetScene({
          ...commonSpec,
          outputs: before,
          labels: order.map((_, point) => String(point + 1)),
          title: strings.firstOrder,
          note: strings.pointsNote,
        }),
        pointSetScene({
          ...commonSpec,
          outputs: restoredOutputs,
          referenceOutputs: before,
          labels: pointPositions.map((location) => String(location + 1)),
          title: strings.otherOrder,
          note: `${strings.pointsNote} ${strings.ringNote}`,
        }),
      ],
      { title: strings.question },
      { columns, each },
      32,
    );
  },
  readout({ embeddings, order, before, after, differences }, _, { query }) {
    const { min, max } = extent(differences.data);
    if (!isIndex(query, order.length)) return strings.differencesReadout(order.length, formatRange(min, max));
    const queryPosition = order.indexOf(query);
    const pairText = ({ data }: { readonly data: Float32Array }, row: number): string =>
      strings.coordinatePair(formatNumber(entryAt(data, 2 * row)), formatNumber(entryAt(data, 2 * row + 1)));
    return strings.pointReadout(
      pairText(embeddings, query),
      query + 1,
      queryPosition + 1,
      pairText(before, query),
      pairText(after, queryPosition),
      formatExact(entryAt(differences.data, queryPosition)),
    );
  },
  proof({ order, before, maxAbsDiff }) {
    const { min, max } = extent(before.data);
    const tolerance = RELATIVE_TOLERANCE * Math.max(1, -min, max);
    const { quantity, toleranceSource, single, passes, fails } = strings.proof;
    const conclusion = order.length === 1 ? single : maxAbsDiff <= tolerance ? passes : fails;
    return { quantity, residual: maxAbsDiff, tolerance, toleranceSource, conclusion };
  },
  tables({ embeddings, order, before, after, differences }) {
    const pointLabels = order.map((_, point) => strings.pointName(point));
    const orderedLabels = order.map(strings.pointName);
    const tableAxes = { rowTitle: strings.pointTitle, columnTitle: strings.coordinateTitle, columns: strings.coordinates };
    return [
      {
        name: 'differences',
        title: strings.tables.differences,
        tensor: differences,
        rowTitle: strings.pointTitle,
        columnTitle: strings.differenceTitle,
        rows: orderedLabels,
      },
      { name: 'before', title: strings.tables.before, tensor: before, rows: pointLabels, ...tableAxes },
      { name: 'after', title: strings.tables.after, tensor: after, rows: orderedLabels, ...tableAxes },
      {
        name: 'order',
        title: strings.tables.order,
        tensor: { shape: [order.length], data: Float32Array.from(order) },
        rowTitle: strings.positionTitle,
        columnTitle: strings.pointTitle,
        rows: order.map((_, position) => String(position + 1)),
      },
      { name: 'embeddings', title: strings.tables.embeddings, tensor: embeddings, rows: pointLabels, ...tableAxes },
    ];
  },
  loadPrograms: () => import('./code.ts'),
});
