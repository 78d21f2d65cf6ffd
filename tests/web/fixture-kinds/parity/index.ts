// A kind that only a test adds: the rows of a table at even or odd positions.

import { matrixScene } from '../../../../web/charts/heatmap/matrix-scene.ts';
import { choice, count, encoding, type SpecOf } from '../../../../web/figure/contract/fields.ts';
import { defineKind, makeProof } from '../../../../web/figure/contract/kind.ts';
import { toGrid } from '../../../../web/figure/contract/tensor.ts';
import { words } from './strings.ts';

const fields = {
  encoding: encoding('sinusoidal', 'table'),
  length: count(8, 1, 64),
  dim: count(8, 1, 64),
  parity: choice('even', 'odd'),
};
export type Spec = SpecOf<typeof fields>;

export const kind = defineKind({
  id: 'parity',
  question: words.question,
  instruction: words.instruction,
  caption: words.caption,
  labels: words.labels,
  help: words.help,
  fields,
  async compute({ encoding: choice, length, dim, parity }, { engine }) {
    const first = parity === 'even' ? 0 : 1;
    const positions = Array.from({ length }, (_, row) => first + 2 * row);
    return { rows: await engine.positionTable({ encoding: choice, dim, positions }) };
  },
  scene: ({ rows }, _, frame) =>
    matrixScene({
      ...frame,
      grid: toGrid(rows),
      scale: 'diverging',
      title: words.question,
      quantity: 'value',
      rowAxis: 'query',
      columnAxis: 'channel',
      rowTitle: 'position',
      columnTitle: 'channel',
    }),
  readout: () => words.caption,
  proof: () => makeProof(words.proof, 0, 0),
  tables: ({ rows }) => [{ name: 'table', title: words.question, tensor: rows, rowTitle: 'position', columnTitle: 'channel' }],
  loadPrograms: () => import('./code.ts'),
});
