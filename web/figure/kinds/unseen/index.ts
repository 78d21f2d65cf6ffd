import { entryAt, isIndex } from '../../../charts/entry-at.ts';
import { formatNumber } from '../../../charts/number.ts';
import { choice, count, FieldError, listed, multiSelect, type SpecOf } from '../../contract/fields.ts';
import { defineKind, makeProof } from '../../contract/kind.ts';
import { SpecError } from '../../contract/spec.ts';
import { type Unseen, unseenNumbers } from './compute.ts';
import { METHODS, type MethodId } from './methods.ts';
import { RECORDED, recordedLoss } from './recording.ts';
import { unseenScene } from './scene.ts';
import { nameOf, words } from './strings.ts';

const fields = {
  methods: multiSelect(METHODS.map(([id]) => id).join(', '), METHODS, METHODS.length),
  shows: choice('rotations', 'attention', 'loss'),
  trained: count(64, 8, 128),
  factor: count(8, 2, 16),
  width: count(16, 4, 256),
};
export type Spec = SpecOf<typeof fields>;

const percent = (share: number): string => `${formatNumber(100 * share, { short: true })}%`;

/** What a key is, at a distance from the last query. */
function keyAt({ methods, length, unseen, taken, times }: Unseen, method: number, distance: number, pairs: number): string {
  const at = method * length + distance;
  const name = nameOf(methods[method] as MethodId);
  const as = entryAt(taken.data, at);
  if (Number.isNaN(as)) return words.none(name, distance);
  const beyond = Math.round(entryAt(unseen.data, at) * pairs);
  return words.at(name, distance, as === distance ? '' : words.taken(as), beyond, pairs, formatNumber(entryAt(times.data, at)));
}

/** What was recorded at a length, the longest where none is pointed at: of one method or of all. */
function lossAt({ methods }: Unseen, method: number | undefined, column: number | undefined): string {
  const { lengths, trained, loss, deviation } = RECORDED;
  const at = isIndex(column, lengths.length) ? column : lengths.length - 1;
  const isOne = isIndex(method, methods.length) && isIndex(column, lengths.length);
  const named = isOne ? [methods[method] as MethodId] : methods;
  const mean = (id: MethodId): string => formatNumber(entryAt(loss[id], at));
  const values = named.map((id) =>
    words.one(nameOf(id), isOne ? words.spread(mean(id), formatNumber(entryAt(deviation[id], at))) : mean(id)),
  );
  return words.lossAt(entryAt(lengths, at), entryAt(lengths, at) / trained, values);
}

export const kind = defineKind({
  id: 'unseen',
  question: words.question,
  instruction: words.instruction,
  caption: words.caption,
  labels: words.labels,
  help: words.help,
  fields,
  aspect: 0.6,
  compute({ methods, trained, factor, width }, { engine }) {
    const chosen = listed(methods) as MethodId[];
    if (chosen.length < 1) throw new FieldError(words.few);
    if (width % 2 > 0) throw new SpecError('width', `width: ${words.odd(width)}`);
    return unseenNumbers({ methods: chosen, trained, factor, width }, engine);
  },
  scene: (numbers, { shows, trained }, frame) => unseenScene(numbers, shows, trained, frame),
  readout(numbers, { factor, width, shows }, { method, distance, all, length: column }) {
    if (shows === 'loss') return lossAt(numbers, method, column);
    const { methods, length, shares } = numbers;
    const share = (row: number): string => percent(entryAt(shares.data, row));
    if (isIndex(method, methods.length)) {
      if (isIndex(distance, length)) return keyAt(numbers, method, distance, width / 2);
      if (all === 0) return words.whole(nameOf(methods[method] as MethodId), share(method));
    }
    return words.summary(
      factor,
      methods.map((id, row) => words.one(nameOf(id), share(row))),
    );
  },
  proof: ({ residual }, { trained, factor }) => makeProof(words.proof, residual, 1e-6 + trained * factor * 2 ** -23),
  tables({ methods, length, unseen, shares, taken, weights }) {
    const rows = methods.map(nameOf);
    const heads = { rowTitle: words.method, columnTitle: words.distance, rows, columns: Array.from({ length }, (_, back) => String(back)) };
    return [
      { name: 'unseen', title: words.tables.unseen, tensor: unseen, ...heads },
      {
        name: 'shares',
        title: words.tables.shares,
        tensor: shares,
        rowTitle: words.method,
        columnTitle: words.all,
        rows,
        columns: [words.all],
      },
      { name: 'taken', title: words.tables.taken, tensor: taken, ...heads },
      { name: 'weights', title: words.tables.weights, tensor: weights, ...heads },
      {
        name: 'loss',
        title: words.tables.loss,
        tensor: recordedLoss(methods),
        rowTitle: words.method,
        columnTitle: words.characters,
        rows,
        columns: RECORDED.lengths.map(String),
      },
    ];
  },
  code: () => import('./code.ts'),
});
