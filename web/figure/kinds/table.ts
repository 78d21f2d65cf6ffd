import type { Tensor } from '../../engine/index.ts';
import { extent } from '../../views/grid.ts';
import { matrixScene } from '../../views/matrix-scene.ts';
import { formatNumber, formatRange } from '../../views/number.ts';
import { count, encoding } from '../fields.ts';
import { defineKind, measured } from '../kind.ts';
import { tableCode } from '../take-away/table-code.ts';
import { gridOf } from '../tensor.ts';
import { firstRows, positionLabels, tableRequest } from './table-rows.ts';
import { words } from './table-words.ts';

/** Whether all neighbouring rows are as far apart as the two closest rows, but for the rounding of their numbers to float32. */
function evenlySpaced({ shape: [rows = 0, columns = 0], data }: Tensor, closest: number, largest: number): boolean {
  if (rows < 3 || closest === 0) return false;
  const rounding = 2 ** -22 * largest * Math.sqrt(columns);
  for (let row = 1; row < rows; row++) {
    let sum = 0;
    for (let at = row * columns; at < (row + 1) * columns; at++) sum += ((data[at] as number) - (data[at - columns] as number)) ** 2;
    if (Math.abs(Math.sqrt(sum) - closest) > rounding) return false;
  }
  return true;
}

export const kind = defineKind({
  id: 'table',
  question: words.question,
  caption: words.caption,
  fields: {
    encoding: encoding('sinusoidal', { injections: ['input'] }),
    length: count(50, 1, 1024),
    width: count(64, 1, 1024),
    offset: count(0, 0, 1_000_000),
  },
  aspect: 0.6,
  async compute(spec, { engine }) {
    const table = await engine.table(tableRequest(spec));
    const half = Math.ceil(spec.length / 2);
    const shorter = await engine.table({ ...tableRequest(spec), length: half });
    const order = Array.from({ length: half }, (_, row) => row);
    const { maxAbsDiff } = await engine.permutationError({ before: shorter, after: firstRows(table, half), order });
    const statistics = await engine.tableStatistics({ table });
    return { table, statistics, half, maxAbsDiff };
  },
  scene({ table }, { offset }, frame) {
    const { min } = extent(table.data);
    return matrixScene({
      ...frame,
      grid: gridOf(table),
      scale: min < 0 ? 'diverging' : 'sequential',
      title: words.question,
      quantity: words.value,
      rowAxis: 'query',
      columnAxis: 'channel',
      ...(offset === 0 ? {} : { rowLabels: positionLabels(table.shape[0] as number, offset) }),
      rowTitle: words.position,
      columnTitle: words.channel,
    });
  },
  readout({ table, statistics }, { offset }, { query, channel }) {
    const [rows = 0, columns = 0] = table.shape;
    if (query !== undefined && query >= 0 && query < rows) {
      const row = table.data.subarray(query * columns, (query + 1) * columns);
      const value = channel === undefined ? undefined : row[channel];
      if (value !== undefined) return words.cell(query + offset, channel as number, formatNumber(value));
      const { min, max } = extent(row);
      return words.row(query + offset, formatRange(min, max));
    }
    const { min, max } = extent(table.data);
    const [range, apart] = [formatRange(min, max), formatNumber(statistics.closestDistance)];
    if (evenlySpaced(table, statistics.closestDistance, Math.max(-min, max))) return words.even(range, apart);
    const [from, to] = statistics.closestPair;
    return words.range(range, from + offset, to + offset, apart, rows);
  },
  proof: ({ half, maxAbsDiff }) => measured({ ...words.proof, what: words.proof.what(half) }, maxAbsDiff, 0),
  tables({ table }, { offset }) {
    return [
      {
        name: 'table',
        title: words.question,
        tensor: table,
        rowTitle: words.position,
        columnTitle: words.channel,
        rows: positionLabels(table.shape[0] as number, offset),
      },
    ];
  },
  code: (spec, encodings) => tableCode(spec, encodings),
});
