// Displays attention weights of the user's model, provided by a file, a program or a notebook.
import { entryAt } from '../../../charts/entry-at.ts';
import { extent } from '../../../charts/grid.ts';
import { matrixScene } from '../../../charts/heatmap/matrix-scene.ts';
import { formatNumber, formatRange } from '../../../charts/number.ts';
import { offsetScene } from '../../../charts/offset-scene.ts';
import { COLUMN_AXIS, createZoomActions, findCell, ROW_AXIS, resolveRegion } from '../../compute/region.ts';
import { choice, count, encoding, type SpecOf } from '../../contract/fields.ts';
import { type Action, defineKind, makeProof } from '../../contract/kind.ts';
import { toGrid } from '../../contract/tensor.ts';
import { createFileInput } from '../../files/drop.ts';
import { createHeadArrayField, readDroppedArrays, wordsField } from './arrays.ts';
import { computeCustomAttention } from './compute.ts';
import { strings } from './strings.ts';

/** Tolerances for the rounding of computed weights, and of row sums of provided float16 weights. */
const TOLERANCE = { computed: 1e-6, provided: 5e-3 };

const fields = {
  q: createHeadArrayField('[heads, queries, head_dim]'),
  k: createHeadArrayField('[heads, keys, head_dim]'),
  weights: createHeadArrayField('[heads, queries, keys]'),
  /** One word per query. Used for the keys, too, if `keyTokens` is empty and there are as many keys as queries. */
  tokens: wordsField,
  keyTokens: wordsField,
  encoding: encoding('none', { injections: ['none', 'query_key', 'score', 'score_content'] }),
  mask: choice('none', 'causal'),
  window: count(0, 0, 65536),
  /**
   * Number of layers in the arrays. The heads of layer 0 come first on the first axis, then those of layer 1, and so
   * on.
   */
  layers: count(1, 1, 1024),
  layer: count(0, 0, 1023),
  head: count(0, 0, 1023),
  span: count(0, 0, 65536),
  query: count(0, 0, 65535),
  key: count(0, 0, 65535),
  size: count(512, 1, 1024),
};

/** Names cells after their words if each contains a single token, otherwise after their first positions. */
const createCellNames = (words: readonly string[] | undefined, firstPosition: number, cellSize: number, cellCount: number): string[] =>
  Array.from(
    { length: cellCount },
    (_, index) => (cellSize === 1 && words?.[firstPosition + index]) || String(firstPosition + index * cellSize),
  );

export const kind = defineKind({
  id: 'custom',
  question: strings.question,
  instruction: strings.instruction,
  caption: strings.caption,
  labels: strings.labels,
  help: strings.help,
  mainFields: ['encoding', 'mask', 'head'],
  fields,
  // Not linked to other figures, because these fields describe the user's arrays, and `head` counts from 0 here.
  unlinkedFields: ['encoding', 'mask', 'head'],
  aspect: 1,
  compute: computeCustomAttention,
  scene({ map, queries, keys, queryWords, keyWords }, spec, frame) {
    const { rows, columns, cell: positionsPerCell, cells, across } = resolveRegion(spec, queries, keys);
    const scene = matrixScene({
      ...frame,
      grid: toGrid(map),
      scale: 'sequential',
      title: strings.weightsTitle(spec),
      quantity: positionsPerCell === 1 ? strings.weight : strings.meanWeight,
      rowAxis: ROW_AXIS,
      columnAxis: COLUMN_AXIS,
      rowLabels: createCellNames(queryWords, rows[0], positionsPerCell, cells),
      columnLabels: createCellNames(keyWords, columns[0], positionsPerCell, across),
      rowTitle: strings.query,
      columnTitle: strings.key,
    });
    return offsetScene(scene, {
      [ROW_AXIS]: { firstPosition: rows[0], positionsPerCell },
      [COLUMN_AXIS]: { firstPosition: columns[0], positionsPerCell },
    });
  },
  actions({ heads, queries, keys }, spec) {
    const zoomActions = createZoomActions(spec, queries, keys);
    const shiftHead = (headDelta: number) => () => ({ head: (spec.head + headDelta + heads) % heads });
    const shiftLayer = (layerDelta: number) => () => ({ layer: (spec.layer + layerDelta + spec.layers) % spec.layers });
    const layerActions: readonly Action[] = [
      { label: strings.previousLayer, keys: ['{'], fields: shiftLayer(-1) },
      { label: strings.nextLayer, keys: ['}'], fields: shiftLayer(1) },
    ];
    const headActions: readonly Action[] = [
      { label: strings.previousHead, keys: ['[', 'PageUp'], fields: shiftHead(-1) },
      { label: strings.nextHead, keys: [']', 'PageDown'], fields: shiftHead(1) },
    ];
    return [...(spec.layers > 1 ? layerActions : []), ...(heads > 1 ? headActions : []), ...zoomActions];
  },
  readout({ map, heads, queries, keys, queryWords, keyWords, isExample }, spec, cursor) {
    const { rows, columns, cell, across } = resolveRegion(spec, queries, keys);
    const [row, column] = [findCell(cursor[ROW_AXIS], rows, cell), findCell(cursor[COLUMN_AXIS], columns, cell)];
    const withHeadPrefix = (sentence: string): string => strings.withHead(spec, heads, sentence);
    if (row < 0 || column < 0) {
      const { min, max } = extent(map.data);
      const values = `${cell === 1 ? strings.weight : strings.meanWeight} ${formatRange(min, max)}`;
      const sentence = withHeadPrefix(strings.regionReadout(rows, columns, cell, values));
      return isExample ? `${strings.exampleNote}. ${sentence}` : sentence;
    }
    const value = formatNumber(entryAt(map.data, row * across + column));
    const [query, key] = [rows[0] + row * cell, columns[0] + column * cell];
    if (cell === 1) return withHeadPrefix(strings.weightReadout(query, key, value, queryWords?.[query], keyWords?.[key]));
    return withHeadPrefix(strings.cellReadout([query, Math.min(rows[1], query + cell)], [key, Math.min(columns[1], key + cell)], value));
  },
  proof({ residual, arrays }) {
    return 'weights' in arrays
      ? makeProof(strings.providedProof, residual, TOLERANCE.provided)
      : makeProof(strings.computedProof, residual, TOLERANCE.computed);
  },
  tables({ map, queries, keys, queryWords, keyWords }, spec) {
    const { rows, columns, cell, cells, across } = resolveRegion(spec, queries, keys);
    return [
      {
        name: 'weights',
        title: strings.weightsTitle(spec),
        tensor: map,
        rowTitle: strings.query,
        columnTitle: strings.key,
        rows: createCellNames(queryWords, rows[0], cell, cells),
        columns: createCellNames(keyWords, columns[0], cell, across),
      },
    ];
  },
  loadPrograms: () => import('./code.ts'),
  files: createFileInput(),
  accept: (file) => readDroppedArrays(file) as Partial<SpecOf<typeof fields>> | undefined,
});
