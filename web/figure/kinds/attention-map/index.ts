import { entryAt } from '../../../charts/entry-at.ts';
import { extent } from '../../../charts/grid.ts';
import { matrixScene } from '../../../charts/matrix-scene.ts';
import { formatNumber, formatRange } from '../../../charts/number.ts';
import { choice, count, encoding, text } from '../../contract/fields.ts';
import { type Cursor, defineKind, makeProof } from '../../contract/kind.ts';
import { gridOf } from '../../contract/tensor.ts';
import { takesFiles } from '../../files/drop.ts';
import { longNumbers, regionOf } from './compute.ts';
import { offsetScene } from './offset-scene.ts';
import { strings } from './strings.ts';
import { MOST_TOKENS } from './tokens.ts';

/** A mean of weights is a sum of up to 512² of them in float32, relative to the largest mean. */
const ROUNDING = 1e-5;
/** Separate axes: the tokens of this sequence are not those of linked figures. */
const ROW = 'longQuery';
const COLUMN = 'longKey';
/** The factor of a zoom step, and the smallest region. */
const ZOOM = 4;
const MIN = 8;

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
    length: count(2048, 1, MOST_TOKENS),
    mask: choice('causal', 'none'),
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
  compute: longNumbers,
  scene({ map, length, words: tokens }, spec, frame) {
    const { rows, columns, cell, cells } = regionOf(spec, length);
    const labels = (first: number) =>
      Array.from({ length: cells }, (_, index) => (cell === 1 && tokens?.[first + index]) || String(first + index * cell));
    const scene = matrixScene({
      ...frame,
      grid: gridOf(map),
      scale: spec.colors === 'root' ? 'root' : 'sequential',
      title: strings.question,
      quantity: cell === 1 ? strings.weight : strings.mean,
      rowAxis: ROW,
      columnAxis: COLUMN,
      rowLabels: labels(rows[0]),
      columnLabels: labels(columns[0]),
      rowTitle: strings.query,
      columnTitle: strings.key,
    });
    return offsetScene(scene, { [ROW]: { first: rows[0], cell }, [COLUMN]: { first: columns[0], cell } });
  },
  actions({ length }, spec) {
    const { rows, columns } = regionOf(spec, length);
    const shown = rows[1] - rows[0];
    /** The region of another size around the token at the cursor, else around the middle. */
    const around = (span: number) => (cursor: Cursor) => {
      if (span >= length) return { span: 0, query: 0, key: 0 };
      const first = ([from, to]: readonly [number, number], at: number | undefined): number => {
        const middle = at !== undefined && at >= from && at < to ? at : Math.floor((from + to) / 2);
        return Math.max(0, Math.min(length - span, middle - Math.floor(span / 2)));
      };
      return { span, query: first(rows, cursor[ROW]), key: first(columns, cursor[COLUMN]) };
    };
    const least = Math.min(MIN, length);
    const closer = Math.max(least, Math.ceil(shown / ZOOM));
    // Single weights rather than means of two.
    const within = closer > spec.size && closer < 2 * spec.size && spec.size >= MIN ? spec.size : closer;
    return [
      { label: strings.zoomIn, keys: ['+', '='], fields: around(within), disabled: shown <= least },
      { label: strings.zoomOut, keys: ['−', '-'], fields: around(shown * ZOOM), disabled: shown >= length },
      { label: strings.all, keys: ['0'], fields: around(length), disabled: shown >= length },
    ];
  },
  readout({ map, length, words: tokens }, spec, cursor) {
    const { rows, columns, cell, cells } = regionOf(spec, length);
    const indexOf = (at: number | undefined, [from, to]: readonly [number, number]): number =>
      at === undefined || !(at >= from && at < to) ? -1 : Math.floor((at - from) / cell);
    const [row, column] = [indexOf(cursor[ROW], rows), indexOf(cursor[COLUMN], columns)];
    if (row < 0 || column < 0) {
      const { min, max } = extent(map.data);
      return strings.range(length, rows, columns, cell, `${cell === 1 ? strings.weight : strings.mean} ${formatRange(min, max)}`);
    }
    const value = formatNumber(entryAt(map.data, row * cells + column));
    const part = ([from, to]: readonly [number, number], index: number): readonly [number, number] => [
      from + index * cell,
      Math.min(to, from + (index + 1) * cell),
    ];
    const [queries, keys] = [part(rows, row), part(columns, column)];
    if (cell > 1) return strings.cell(queries, keys, value);
    return strings.one(queries[0], keys[0], value, tokens?.[queries[0]], tokens?.[keys[0]]);
  },
  proof({ largest, checked, length }, spec) {
    const quantity = regionOf(spec, length).cell === 1 ? strings.proof.exact : strings.proof.quantity(checked.count);
    return makeProof({ ...strings.proof, quantity }, checked.maxAbsDiff, ROUNDING * largest);
  },
  tables({ map, length, words: tokens, x }, spec) {
    const { rows, columns, cell, cells } = regionOf(spec, length);
    const names = (first: number) => Array.from({ length: cells }, (_, index) => String(first + index * cell));
    return [
      {
        name: 'means',
        title: strings.title,
        tensor: map,
        rowTitle: strings.query,
        columnTitle: strings.key,
        rows: names(rows[0]),
        columns: names(columns[0]),
      },
      ...(tokens
        ? [
            {
              name: 'embeddings',
              title: strings.embeddings,
              tensor: { shape: [length, spec.dim], data: x.data },
              rowTitle: strings.word,
              columnTitle: strings.channel,
              rows: tokens,
            },
          ]
        : []),
    ];
  },
  code: () => import('./code.ts'),
  files: takesFiles(['.txt']),
  accept: ({ text: passage }) => (passage === undefined ? undefined : { passage, span: 0, query: 0, key: 0 }),
});
