import { entryAt, isIndex } from '../../../charts/entry-at.ts';
import { extent } from '../../../charts/grid.ts';
import { matrixScene } from '../../../charts/heatmap/matrix-scene.ts';
import { formatNumber, formatRange } from '../../../charts/number.ts';
import { permutationError, tableStatistics } from '../../../engine/analysis.ts';
import { createRowsActions, loadLearnedRows, rowsField, rowsHelp, rowsLabels, withTruncationNote } from '../../compute/learned-rows.ts';
import { createPositionLabels, selectFirstRows } from '../../compute/table-rows.ts';
import { count, encoding, type SpecOf } from '../../contract/fields.ts';
import { defineKind, makeProof } from '../../contract/kind.ts';
import { toGrid } from '../../contract/tensor.ts';
import { strings } from './strings.ts';

const fields = {
  encoding: encoding('sinusoidal', 'table'),
  length: count(50, 1, 1024),
  dim: count(64, 1, 1024),
  positionOffset: count(0, 0, 1_000_000),
  ...rowsField,
};
export type Spec = SpecOf<typeof fields>;

/**
 * Upper end of the colour scale for BERT's rows. A few larger values in row 0, up to 1.87, would otherwise make all
 * other rows pale.
 */
const TRAINED_COLOR_LIMIT = 0.2;

export const kind = defineKind({
  id: 'table',
  question: strings.question,
  instruction: strings.instruction,
  caption: strings.caption,
  mainFields: ['encoding', 'base', 'length'],
  fields,
  labels: rowsLabels,
  help: rowsHelp,
  aspect: 0.6,
  async compute(spec, context) {
    const { engine } = context;
    const { rows, request } = await loadLearnedRows(spec, context);
    const table = await engine.positionTable(request);
    const shorterLength = Math.ceil(spec.length / 2);
    const shorterTable = await engine.positionTable({ ...request, length: shorterLength });
    const order = Array.from({ length: shorterLength }, (_, row) => row);
    const { maxAbsDiff } = await permutationError(engine, { before: shorterTable, after: selectFirstRows(table, shorterLength), order });
    const statistics = await tableStatistics(engine, { table });
    return { rows, table, statistics, shorterLength, maxAbsDiff };
  },
  playback: { axis: 'query', count: (_, { length }) => length },
  scene({ rows, table }, { positionOffset }, frame) {
    const { min } = extent(table.data);
    return matrixScene({
      ...frame,
      grid: toGrid(table),
      scale: min < 0 ? 'diverging' : 'sequential',
      ...(rows.trainedRows ? { range: [-TRAINED_COLOR_LIMIT, TRAINED_COLOR_LIMIT] as const } : {}),
      title: strings.question,
      quantity: strings.value,
      rowAxis: 'query',
      columnAxis: 'channel',
      ...(positionOffset === 0 ? {} : { rowLabels: createPositionLabels(entryAt(table.shape, 0), positionOffset) }),
      rowTitle: strings.position,
      columnTitle: strings.channel,
    });
  },
  actions: ({ rows }, spec, before) => createRowsActions(rows, spec, before),
  readout({ rows: learnedRows, table, statistics }, { positionOffset }, { query, channel }) {
    const [rowCount = 0, columnCount = 0] = table.shape;
    if (isIndex(query, rowCount)) {
      const row = table.data.subarray(query * columnCount, (query + 1) * columnCount);
      if (isIndex(channel, columnCount)) return strings.cellReadout(query + positionOffset, channel, formatNumber(entryAt(row, channel)));
      const { min, max } = extent(row);
      return strings.rowReadout(query + positionOffset, formatRange(min, max));
    }
    const { min, max } = extent(table.data);
    const [from, to] = statistics.closestPair;
    let clippedCount = 0;
    if (learnedRows.trainedRows) for (const value of table.data) if (Math.abs(value) > TRAINED_COLOR_LIMIT) clippedCount += 1;
    const rangeText = strings.rangeReadout(
      formatRange(min, max),
      from + positionOffset,
      to + positionOffset,
      formatNumber(statistics.closestDistance),
      rowCount,
    );
    return withTruncationNote(
      clippedCount > 0 ? strings.clippedReadout(rangeText, clippedCount, TRAINED_COLOR_LIMIT) : rangeText,
      learnedRows,
    );
  },
  proof: ({ shorterLength, maxAbsDiff }) => makeProof({ ...strings.proof, quantity: strings.proof.quantity(shorterLength) }, maxAbsDiff, 0),
  tables({ table }, { positionOffset }) {
    return [
      {
        name: 'table',
        title: strings.question,
        tensor: table,
        rowTitle: strings.position,
        columnTitle: strings.channel,
        rows: createPositionLabels(entryAt(table.shape, 0), positionOffset),
      },
    ];
  },
  loadPrograms: () => import('./code.ts'),
});
