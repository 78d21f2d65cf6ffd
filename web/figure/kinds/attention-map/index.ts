import { entryAt } from '../../../charts/entry-at.ts';
import { extent } from '../../../charts/grid.ts';
import { matrixScene } from '../../../charts/heatmap/matrix-scene.ts';
import { formatNumber, formatRange } from '../../../charts/number.ts';
import { offsetScene } from '../../../charts/offset-scene.ts';
import { COLUMN_AXIS, createZoomActions, findCell, ROW_AXIS, resolveRegion } from '../../compute/region.ts';
import { choice, count, encoding, text } from '../../contract/fields.ts';
import { defineKind, makeProof } from '../../contract/kind.ts';
import { toGrid } from '../../contract/tensor.ts';
import { createFileInput } from '../../files/drop.ts';
import { computeAttentionMap, MAX_MASKED_TOKENS } from './compute.ts';
import { strings } from './strings.ts';
import { MAX_TOKENS } from './tokens.ts';

/** Tolerance for the float32 rounding of a sum of up to 512² weights, relative to the largest mean. */
const RELATIVE_TOLERANCE = 1e-5;
export const kind = defineKind({
  id: 'attention-map',
  question: strings.question,
  instruction: strings.instruction,
  caption: strings.caption,
  labels: strings.labels,
  help: strings.help,
  fields: {
    encoding: encoding('none', { ids: ['none', 'rope', 'xpos', 'alibi', 'kerple', 't5', 'sandwich'] }),
    passage: text(''),
    length: count(2048, 1, MAX_TOKENS),
    mask: choice('causal', 'none'),
    prefixLength: count(0, 0, MAX_MASKED_TOKENS),
    window: count(0, 0, 65536),
    period: count(256, 0, 65536),
    span: count(0, 0, 65536),
    query: count(0, 0, 65535),
    key: count(0, 0, 65535),
    colors: choice('linear', 'root'),
    size: count(128, 1, 256),
    dim: count(64, 1, 128),
    seed: count(1, 0, 2 ** 32 - 1),
  },
  aspect: 1,
  compute: computeAttentionMap,
  scene({ map, length, words: tokens }, spec, frame) {
    const { rows, columns, cell: positionsPerCell, cells } = resolveRegion(spec, length);
    const createAxisLabels = (first: number) =>
      Array.from(
        { length: cells },
        (_, index) => (positionsPerCell === 1 && tokens?.[first + index]) || String(first + index * positionsPerCell),
      );
    const scene = matrixScene({
      ...frame,
      grid: toGrid(map),
      scale: spec.colors === 'root' ? 'root' : 'sequential',
      title: strings.question,
      quantity: positionsPerCell === 1 ? strings.weight : strings.meanWeight,
      rowAxis: ROW_AXIS,
      columnAxis: COLUMN_AXIS,
      rowLabels: createAxisLabels(rows[0]),
      columnLabels: createAxisLabels(columns[0]),
      rowTitle: strings.query,
      columnTitle: strings.key,
    });
    return offsetScene(scene, {
      [ROW_AXIS]: { firstPosition: rows[0], positionsPerCell },
      [COLUMN_AXIS]: { firstPosition: columns[0], positionsPerCell },
    });
  },
  actions: ({ length }, spec) => createZoomActions(spec, length),
  readout({ map, length, words: tokens }, spec, cursor) {
    const { rows, columns, cell, cells } = resolveRegion(spec, length);
    const [row, column] = [findCell(cursor[ROW_AXIS], rows, cell), findCell(cursor[COLUMN_AXIS], columns, cell)];
    if (row < 0 || column < 0) {
      const { min, max } = extent(map.data);
      return strings.regionReadout(
        length,
        rows,
        columns,
        cell,
        `${cell === 1 ? strings.weight : strings.meanWeight} ${formatRange(min, max)}`,
      );
    }
    const value = formatNumber(entryAt(map.data, row * cells + column));
    const cellRange = ([from, to]: readonly [number, number], index: number): readonly [number, number] => [
      from + index * cell,
      Math.min(to, from + (index + 1) * cell),
    ];
    const [queries, keys] = [cellRange(rows, row), cellRange(columns, column)];
    if (cell > 1) return strings.cellReadout(queries, keys, value);
    return strings.weightReadout(queries[0], keys[0], value, tokens?.[queries[0]], tokens?.[keys[0]]);
  },
  proof({ largestMean, proofCheck, length }, spec) {
    const quantity = resolveRegion(spec, length).cell === 1 ? strings.proof.weightQuantity : strings.proof.quantity(proofCheck.count);
    return makeProof({ ...strings.proof, quantity }, proofCheck.maxAbsDiff, RELATIVE_TOLERANCE * largestMean);
  },
  tables({ map, length, words: tokens, x }, spec) {
    const { rows, columns, cell, cells } = resolveRegion(spec, length);
    const createLabels = (firstPosition: number) => Array.from({ length: cells }, (_, index) => String(firstPosition + index * cell));
    return [
      {
        name: 'means',
        title: strings.tableTitle,
        tensor: map,
        rowTitle: strings.query,
        columnTitle: strings.key,
        rows: createLabels(rows[0]),
        columns: createLabels(columns[0]),
      },
      ...(tokens
        ? [
            {
              name: 'embeddings',
              title: strings.embeddingsTitle,
              tensor: { shape: [length, spec.dim], data: x.data },
              rowTitle: strings.word,
              columnTitle: strings.channel,
              rows: tokens,
            },
          ]
        : []),
    ];
  },
  loadPrograms: () => import('./code.ts'),
  files: createFileInput(['.txt']),
  accept: ({ text: passage }) => (passage === undefined ? undefined : { passage, span: 0, query: 0, key: 0 }),
});
