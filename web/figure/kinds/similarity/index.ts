import { entryAt, isIndex } from '../../../charts/entry-at.ts';
import { extent } from '../../../charts/grid.ts';
import { matrixScene } from '../../../charts/matrix-scene.ts';
import { formatNumber, formatRange } from '../../../charts/number.ts';
import { positionLabels } from '../../compute/table-rows.ts';
import { distanceProof } from '../../compute/table-similarity.ts';
import { choice, count, encoding, number, type SpecOf } from '../../contract/fields.ts';
import { defineKind } from '../../contract/kind.ts';
import { gridOf } from '../../contract/tensor.ts';
import { takesFiles } from '../../files/drop.ts';
import { droppedTable } from '../../files/dropped-matrix.ts';
import { words } from './strings.ts';

const fields = {
  encoding: encoding('sinusoidal', 'table'),
  length: count(64, 1, 1024),
  width: count(64, 1, 1024),
  offset: number(0, -1e6, 1e6),
  measure: choice('cosine', 'dot'),
};
export type Spec = SpecOf<typeof fields>;

export const kind = defineKind({
  id: 'similarity',
  question: words.question,
  instruction: words.instruction,
  caption: words.caption,
  fields,
  aspect: 1,
  async compute({ encoding, length, width, offset, measure }, { engine }) {
    const table = await engine.table({ encoding, length, width, offset });
    const similarity = await engine.similarity({ table, measure });
    const { spread } = await engine.distanceProfile({ matrix: similarity });
    return { similarity, spread };
  },
  scene({ similarity }, { measure, offset }, frame) {
    const labels = positionLabels(entryAt(similarity.shape, 0), offset);
    return matrixScene({
      ...frame,
      grid: gridOf(similarity),
      scale: measure === 'cosine' ? 'sequential' : 'diverging',
      title: words.question,
      quantity: words.measures[measure],
      rowAxis: 'query',
      columnAxis: 'key',
      ...(offset === 0 ? {} : { rowLabels: labels, columnLabels: labels }),
      rowTitle: words.position,
      columnTitle: words.position,
    });
  },
  readout({ similarity: { shape, data } }, { measure, offset }, { query, key }) {
    const side = entryAt(shape, 0);
    if (!isIndex(query, side) || !isIndex(key, side)) {
      const { min, max } = extent(data);
      return words.range(words.measures[measure], formatRange(min, max));
    }
    return words.cell(words.measures[measure], query + offset, key + offset, formatNumber(entryAt(data, query * side + key)));
  },
  proof: ({ similarity, spread }, { measure }) => distanceProof(words, measure, spread, similarity.data),
  tables({ similarity }, { measure, offset }) {
    const labels = positionLabels(entryAt(similarity.shape, 0), offset);
    return [
      {
        name: 'similarity',
        title: words.measures[measure],
        tensor: similarity,
        rowTitle: words.position,
        columnTitle: words.position,
        rows: labels,
        columns: labels,
      },
    ];
  },
  files: takesFiles(),
  accept: droppedTable,
  code: () => import('./code.ts'),
});
