// What is said of a learned table of positions: its numbers at a cursor, its proof, its tables.

import { entryAt, isIndex } from '../../../charts/entry-at.ts';
import { formatNumber } from '../../../charts/number.ts';
import type { Tensor } from '../../../engine/index.ts';
import { type Cursor, type DataTable, makeProof, type Proof } from '../../contract/kind.ts';
import type { Spec } from './index.ts';
import type { LaterView } from './later-view.ts';
import { words } from './strings.ts';
import { tableScene } from './table-scene.ts';
import { tableWords } from './table-strings.ts';
import { snapshotAt, stepShown, type Training } from './training.ts';

/** Five standard deviations of three seeds (docs/experiments.md, E11): other rows that are as banded are within it. */
const TOLERANCE = 0.1;

export interface TableNumbers extends Training {
  readonly show: 'table';
  readonly view: LaterView<TableNumbers>;
  /** [positions, width] of what is shown. */
  readonly rows: Tensor;
  /** [positions, positions]: cosines of rows, less their mean. */
  readonly before: Tensor;
  readonly after: Tensor;
  /** Of what is shown: the mean cosine of neighbours. */
  readonly near: number;
  /** That of the recorded run at its end. */
  readonly expected: number;
  /** Whether this page has the model of characters with a learned table, whose heads are another view: a page that is one file may not. */
  readonly hasHeads: boolean;
}

/** Positions that a cursor names; undefined where there are none. */
function pairOf({ after: { shape } }: TableNumbers, { query, key }: Cursor): readonly [number, number] | undefined {
  const side = entryAt(shape, 0);
  return isIndex(query, side) && isIndex(key, side) ? [query, key] : undefined;
}

function readout(numbers: TableNumbers, _: Spec, cursor: Cursor): string {
  const { before, after, near, steps } = numbers;
  const step = stepShown(numbers);
  const snapshot = snapshotAt(numbers, cursor.snapshot);
  if (snapshot !== undefined) return words.snapshotAt(entryAt(steps, snapshot));
  const pair = pairOf(numbers, cursor);
  if (!pair) return tableWords.neighbours(step, formatNumber(near));
  const at = pair[0] * entryAt(after.shape, 0) + pair[1];
  return tableWords.pair(pair[0], pair[1], formatNumber(entryAt(before.data, at)), formatNumber(entryAt(after.data, at)), step);
}

const proof = ({ near, expected, model }: TableNumbers): Proof =>
  makeProof({ ...tableWords.proof, source: tableWords.source(model.file) }, Math.abs(near - expected), TOLERANCE);

function tables(numbers: TableNumbers): readonly DataTable[] {
  const { before, after, rows } = numbers;
  const step = stepShown(numbers);
  const axes = { rowTitle: tableWords.position, columnTitle: tableWords.position };
  return [
    { name: 'after', title: tableWords.cosineAfter(step), tensor: after, ...axes },
    { name: 'before', title: tableWords.cosineBefore, tensor: before, ...axes },
    { name: 'rows', title: tableWords.rowsAfter(step), tensor: rows, rowTitle: tableWords.position, columnTitle: tableWords.channel },
  ];
}

export const view: LaterView<TableNumbers> = { scene: tableScene, readout, proof, tables };
