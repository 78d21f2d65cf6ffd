import { extent } from '../../views/grid.ts';
import { matrixScene } from '../../views/matrix-scene.ts';
import { formatNumber, formatRange } from '../../views/number.ts';
import { choice, count, encoding } from '../fields.ts';
import { defineKind } from '../kind.ts';
import { gridOf } from '../tensor.ts';
import { longCode } from './long-code.ts';
import { longNumbers, regionOf } from './long-numbers.ts';
import { words } from './long-words.ts';

/** A mean of weights is a sum of up to 512² of them in float32, relative to the largest mean. */
const ROUNDING = 1e-5;
/** Axes of its own: cells of this map are no tokens of linked figures. */
const ROW = 'queryCell';
const COLUMN = 'keyCell';

export const kind = defineKind({
  id: 'long',
  question: words.question,
  caption: words.caption,
  fields: {
    encoding: encoding('none', { ids: ['none', 'rope', 'xpos', 'alibi', 'kerple', 't5', 'sandwich'] }),
    length: count(2048, 1, 65536),
    mask: choice('causal', 'none'),
    window: count(0, 0, 65536),
    period: count(256, 0, 65536),
    span: count(0, 0, 65536),
    query: count(0, 0, 65535),
    key: count(0, 0, 65535),
    size: count(128, 1, 256),
    width: count(64, 1, 128),
    seed: count(1, 0, 2 ** 32 - 1),
  },
  aspect: 1,
  compute: longNumbers,
  scene({ map }, spec, frame) {
    const { rows, columns, cell, cells } = regionOf(spec);
    const labels = (first: number) => Array.from({ length: cells }, (_, index) => String(first + index * cell));
    return matrixScene({
      ...frame,
      grid: gridOf(map),
      scale: 'sequential',
      title: words.question,
      quantity: cell === 1 ? words.weight : words.mean,
      rowAxis: ROW,
      columnAxis: COLUMN,
      rowLabels: labels(rows[0]),
      columnLabels: labels(columns[0]),
      rowTitle: words.query,
      columnTitle: words.key,
    });
  },
  readout({ map }, spec, cursor) {
    const { rows, columns, cell, cells } = regionOf(spec);
    const [row, column] = [cursor[ROW], cursor[COLUMN]];
    const value = row === undefined || column === undefined || column >= cells ? undefined : map.data[row * cells + column];
    if (value === undefined) {
      const { min, max } = extent(map.data);
      return words.range(spec.length, rows, columns, cell, `${cell === 1 ? words.weight : words.mean} ${formatRange(min, max)}`);
    }
    const part = ([from, to]: readonly [number, number], index: number): readonly [number, number] => [
      from + index * cell,
      Math.min(to, from + (index + 1) * cell),
    ];
    const [queries, keys] = [part(rows, row as number), part(columns, column as number)];
    return cell === 1 ? words.one(queries[0], keys[0], formatNumber(value)) : words.cell(queries, keys, formatNumber(value));
  },
  proof({ largest, checked }, spec) {
    const tolerance = ROUNDING * largest;
    const { what, exact, source, holds, amber } = words.proof;
    return {
      what: regionOf(spec).cell === 1 ? exact : what(checked.count),
      residual: checked.maxAbsDiff,
      tolerance,
      source,
      meaning: checked.maxAbsDiff <= tolerance ? holds : amber,
    };
  },
  tables({ map }, spec) {
    const { rows, columns, cell, cells } = regionOf(spec);
    const names = (first: number) => Array.from({ length: cells }, (_, index) => String(first + index * cell));
    return [
      {
        name: 'means',
        title: words.title,
        tensor: map,
        rowTitle: words.query,
        columnTitle: words.key,
        rows: names(rows[0]),
        columns: names(columns[0]),
      },
    ];
  },
  code: longCode,
});
