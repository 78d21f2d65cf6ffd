import { entryAt, isIndex } from '../../../charts/entry-at.ts';
import { extent } from '../../../charts/grid.ts';
import { matrixScene } from '../../../charts/heatmap/matrix-scene.ts';
import { formatNumber, formatRange } from '../../../charts/number.ts';
import { distanceProfile, similarity as rowSimilarity } from '../../../engine/analysis.ts';
import { createRowsActions, loadLearnedRows, rowsField, rowsHelp, rowsLabels, withTruncationNote } from '../../compute/learned-rows.ts';
import { createPositionLabels } from '../../compute/table-rows.ts';
import { createDistanceProof } from '../../compute/table-similarity.ts';
import { choice, count, encoding, number, type SpecOf } from '../../contract/fields.ts';
import { defineKind } from '../../contract/kind.ts';
import { toGrid } from '../../contract/tensor.ts';
import { createFileInput } from '../../files/drop.ts';
import { readDroppedTable } from '../../files/dropped-matrix.ts';
import { strings } from './strings.ts';

const fields = {
  encoding: encoding('sinusoidal', 'table'),
  length: count(64, 1, 1024),
  dim: count(64, 1, 1024),
  positionOffset: number(0, -1e6, 1e6),
  metric: choice('cosine', 'dot'),
  ...rowsField,
};
export type Spec = SpecOf<typeof fields>;

export const kind = defineKind({
  id: 'similarity',
  question: strings.question,
  instruction: strings.instruction,
  caption: strings.caption,
  fields,
  labels: rowsLabels,
  help: rowsHelp,
  aspect: 1,
  async compute(spec, context) {
    const { engine } = context;
    const { rows, request } = await loadLearnedRows(spec, context);
    const table = await engine.positionTable(request);
    const similarity = await rowSimilarity(engine, { table, metric: spec.metric });
    const { spread } = await distanceProfile(engine, { matrix: similarity });
    return { rows, similarity, spread };
  },
  scene({ similarity }, { metric, positionOffset }, frame) {
    const labels = createPositionLabels(entryAt(similarity.shape, 0), positionOffset);
    return matrixScene({
      ...frame,
      grid: toGrid(similarity),
      scale: metric === 'cosine' ? 'sequential' : 'diverging',
      title: strings.question,
      quantity: strings.measures[metric],
      rowAxis: 'query',
      columnAxis: 'key',
      ...(positionOffset === 0 ? {} : { rowLabels: labels, columnLabels: labels }),
      rowTitle: strings.position,
      columnTitle: strings.position,
    });
  },
  actions: ({ rows }, spec, before) => createRowsActions(rows, spec, before),
  readout({ rows, similarity: { shape, data } }, { metric, positionOffset }, { query, key }) {
    const side = entryAt(shape, 0);
    if (!isIndex(query, side) || !isIndex(key, side)) {
      const { min, max } = extent(data);
      return withTruncationNote(strings.rangeReadout(strings.measures[metric], formatRange(min, max)), rows);
    }
    return strings.cellReadout(
      strings.measures[metric],
      query + positionOffset,
      key + positionOffset,
      formatNumber(entryAt(data, query * side + key)),
    );
  },
  proof: ({ similarity, spread }, { metric }) => createDistanceProof(strings, metric, spread, similarity.data),
  tables({ similarity }, { metric, positionOffset }) {
    const labels = createPositionLabels(entryAt(similarity.shape, 0), positionOffset);
    return [
      {
        name: 'similarity',
        title: strings.measures[metric],
        tensor: similarity,
        rowTitle: strings.position,
        columnTitle: strings.position,
        rows: labels,
        columns: labels,
      },
    ];
  },
  files: createFileInput(),
  accept: readDroppedTable,
  loadPrograms: () => import('./code.ts'),
});
