// Which word is chosen, what the cursor of the figure points at, and how words change places.
import { type Signal, signal } from '@preact/signals-core';
import { entryAt } from '../../../charts/entry-at.ts';
import type { Cursor } from '../../../charts/scene.ts';
import { isIdentity, moved, type Order, sameOrder } from '../../../sentence/order.ts';
import { changeTolerance } from '../../compute/output-proof.ts';
import type { LiveFigure } from '../../contract/kind.ts';
import type { ArrangedWords } from './arranged-words.ts';
import type { fields, Shown } from './compute.ts';
import { words } from './strings.ts';

export interface WordMoves {
  /** The word that was chosen by a click or by keys: an index into the sentence as written. Moving a word chooses none. */
  readonly chosen: Signal<number | undefined>;
  /** Words stay where they are. */
  readonly locked: boolean;
  order(): Order;
  wordAt(place: number): number;
  move(from: number, to: number): void;
  /** All words as written. */
  reset(): void;
  choose(word: number): void;
  /** Sets the cursor, where it is another one. */
  point(cursor: Cursor): void;
  /** The cursor when nothing is pointed at. */
  resting(): Cursor;
  /** Says what became of the latest move, once its numbers are there. */
  tell(numbers: Shown): void;
}

export function wordMoves(
  figure: LiveFigure<typeof fields, Shown>,
  sentence: ArrangedWords['sentence'],
  announce: (text: string) => void,
): WordMoves {
  const chosen = signal<number | undefined>(undefined);
  const locked = figure.locked.includes('order');
  let untold: { readonly word: number | undefined; readonly order: Order } | undefined;
  const order = () => sentence.peek()?.order ?? [];
  const wordAt = (place: number): number => entryAt(order(), place);
  const point = (cursor: Cursor): void => {
    const before = figure.cursor.peek();
    const names = new Set([...Object.keys(before), ...Object.keys(cursor)]);
    if ([...names].some((name) => before[name] !== cursor[name])) figure.cursor.value = cursor;
  };
  const choose = (word: number): void => {
    chosen.value = word;
    point({ query: order().indexOf(word) });
  };
  const resting = (): Cursor => {
    const word = chosen.peek();
    return word === undefined ? {} : { query: Math.max(0, order().indexOf(word)) };
  };
  const arrange = (next: Order, word?: number): void => {
    untold = { word, order: next };
    figure.change({ order: isIdentity(next) ? [] : next });
  };
  return {
    chosen,
    locked,
    order,
    wordAt,
    choose,
    point,
    resting,
    move(from, to) {
      const word = order()[from];
      // A word that is dragged may have gone with its sentence.
      if (!locked && word !== undefined) arrange(moved(order(), from, to), word);
    },
    reset: () => arrange(order().toSorted((a, b) => a - b)),
    tell({ order: now, words: written, trial }) {
      if (!trial || !untold || !sameOrder(now, untold.order)) return;
      const { word } = untold;
      untold = undefined;
      const changed = trial.differences.data.filter((difference) => difference > changeTolerance(trial)).length;
      const outcome = isIdentity(now) ? words.asWritten : words.outcome(changed, now.length);
      announce(word === undefined ? outcome : words.moved(written[word] as string, now.indexOf(word) + 1, now.length, outcome));
    },
  };
}
