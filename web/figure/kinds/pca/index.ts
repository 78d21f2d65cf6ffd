import { entryAt, isIndex } from '../../../charts/entry-at.ts';
import { formatNumber } from '../../../charts/number.ts';
import { permutationError, principalComponents, tableStatistics } from '../../../engine/analysis.ts';
import type { Tensor, TensorInput } from '../../../engine/index.ts';
import { createRowsActions, loadLearnedRows, rowsField, rowsHelp, rowsLabels, withTruncationNote } from '../../compute/learned-rows.ts';
import { createPositionLabels, selectColumns } from '../../compute/table-rows.ts';
import { count, encoding, type SpecOf } from '../../contract/fields.ts';
import { defineKind, makeProof } from '../../contract/kind.ts';
import { SpecError } from '../../contract/spec.ts';
import { pointsScene } from './points-scene.ts';
import { strings } from './strings.ts';

/** Tolerance for float32 rounding in the coordinates. */
const TOLERANCE = 1e-6;

/** Whether the components after the second explain more variance than a rounding error. */
const omitsVariance = ({ data: [first = 0, second = 0] }: Tensor): boolean => 1 - first - second > 1e-6;

const formatPercent = (fraction: number): string => formatNumber(100 * fraction, { short: true });

const fields = {
  encoding: encoding('sinusoidal', 'table'),
  length: count(64, 2, 1024),
  dim: count(64, 2, 1024),
  positionOffset: count(0, 0, 1_000_000),
  ...rowsField,
};
export type Spec = SpecOf<typeof fields>;

export const kind = defineKind({
  id: 'pca',
  question: strings.question,
  instruction: strings.instruction,
  caption: strings.caption,
  fields,
  labels: rowsLabels,
  help: rowsHelp,
  aspect: 0.7,
  async compute(spec, context) {
    const { engine } = context;
    const { rows, request } = await loadLearnedRows(spec, context);
    const table = await engine.positionTable(request);
    if (entryAt(table.shape, 1) < 2) throw new SpecError('dim', strings.tooFewChannels);
    const allComponents = await principalComponents(engine, { table, components: entryAt(table.shape, 1) });
    const tableStats = await tableStatistics(engine, { table });
    const componentStats = await tableStatistics(engine, { table: allComponents.coordinates });
    const scalarTensor = (value: number): TensorInput => ({ shape: [1, 1], data: [value] });
    const { maxAbsDiff } = await permutationError(engine, {
      before: scalarTensor(tableStats.closestDistance),
      after: scalarTensor(componentStats.closestDistance),
      order: [0],
    });
    const varianceRatio = allComponents.explainedVarianceRatio;
    return {
      rows,
      coordinates: selectColumns(allComponents.coordinates, [0, 1]),
      explainedVarianceRatio: { shape: [2], data: varianceRatio.data.subarray(0, 2) },
      maxAbsDiff,
      maxNorm: tableStats.maxNorm,
    };
  },
  playback: { axis: 'query', count: (_, { length }) => length },
  scene({ coordinates, explainedVarianceRatio: { data } }, { positionOffset }, frame) {
    const [x, y] = [selectColumns(coordinates, [0]).data, selectColumns(coordinates, [1]).data];
    const [xAxisTitle, yAxisTitle] = strings.components.map((name, index) => strings.axisTitle(name, formatPercent(entryAt(data, index))));
    return pointsScene({
      ...frame,
      x,
      y,
      values: Float32Array.from(x, (_, index) => index + positionOffset),
      cursorAxis: 'query',
      isConnected: true,
      quantity: strings.positionTitle,
      title: strings.question,
      xTitle: xAxisTitle as string,
      yTitle: yAxisTitle as string,
    });
  },
  actions: ({ rows }, spec, before) => createRowsActions(rows, spec, before),
  readout({ rows, coordinates: { shape, data }, explainedVarianceRatio }, { positionOffset }, { query }) {
    const [xPercent, yPercent] = Array.from(explainedVarianceRatio.data, formatPercent);
    if (!isIndex(query, entryAt(shape, 0)))
      return withTruncationNote(
        strings.varianceReadout(xPercent as string, yPercent as string, omitsVariance(explainedVarianceRatio)),
        rows,
      );
    return strings.positionReadout(
      query + positionOffset,
      formatNumber(entryAt(data, 2 * query)),
      formatNumber(entryAt(data, 2 * query + 1)),
    );
  },
  proof: ({ maxAbsDiff, maxNorm }) => makeProof(strings.proof, maxAbsDiff, TOLERANCE * Math.max(1, maxNorm)),
  tables({ coordinates, explainedVarianceRatio }, { positionOffset }) {
    return [
      {
        name: 'coordinates',
        title: strings.question,
        tensor: coordinates,
        rowTitle: strings.positionTitle,
        columnTitle: strings.coordinateTitle,
        rows: createPositionLabels(entryAt(coordinates.shape, 0), positionOffset),
        columns: strings.components,
      },
      {
        name: 'explained',
        title: strings.explainedVariance,
        tensor: explainedVarianceRatio,
        rowTitle: strings.coordinateTitle,
        columnTitle: strings.explainedVariance,
        rows: strings.components,
      },
    ];
  },
  loadPrograms: () => import('./code.ts'),
});
