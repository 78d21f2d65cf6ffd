import { entryAt, isIndex } from '../../../charts/entry-at.ts';
import { extent } from '../../../charts/grid.ts';
import { matrixScene } from '../../../charts/matrix-scene.ts';
import { formatNumber, formatRange } from '../../../charts/number.ts';
import { firstRows, positionLabels, tableRequest } from '../../compute/table-rows.ts';
import { count, encoding, type SpecOf } from '../../contract/fields.ts';
import { defineKind, makeProof } from '../../contract/kind.ts';
import { gridOf } from '../../contract/tensor.ts';
import { words } from './strings.ts';

const fields = {
  encoding: encoding('sinusoidal', 'table'),
  length: count(50, 1, 1024),
  width: count(64, 1, 1024),
  offset: count(0, 0, 1_000_000),
};
export type Spec = SpecOf<typeof fields>;

export const kind = defineKind({
  id: 'table',
  question: words.question,
  instruction: words.instruction,
  caption: words.caption,
  fields,
  aspect: 0.6,
  play: { axis: 'query', count: (_, { length }) => length },
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
      ...(offset === 0 ? {} : { rowLabels: positionLabels(entryAt(table.shape, 0), offset) }),
      rowTitle: words.position,
      columnTitle: words.channel,
    });
  },
  readout({ table, statistics }, { offset }, { query, channel }) {
    const [rows = 0, columns = 0] = table.shape;
    if (isIndex(query, rows)) {
      const row = table.data.subarray(query * columns, (query + 1) * columns);
      if (isIndex(channel, columns)) return words.cell(query + offset, channel, formatNumber(entryAt(row, channel)));
      const { min, max } = extent(row);
      return words.row(query + offset, formatRange(min, max));
    }
    const { min, max } = extent(table.data);
    const [from, to] = statistics.closestPair;
    return words.range(formatRange(min, max), from + offset, to + offset, formatNumber(statistics.closestDistance), rows);
  },
  proof: ({ half, maxAbsDiff }) => makeProof({ ...words.proof, what: words.proof.what(half) }, maxAbsDiff, 0),
  tables({ table }, { offset }) {
    return [
      {
        name: 'table',
        title: words.question,
        tensor: table,
        rowTitle: words.position,
        columnTitle: words.channel,
        rows: positionLabels(entryAt(table.shape, 0), offset),
      },
    ];
  },
  code: () => import('./code.ts'),
});
