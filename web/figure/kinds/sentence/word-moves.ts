// Which word is chosen, what the cursor of the figure points at, and how words change places.
import { type Signal, signal } from '@preact/signals-core';
import { isIdentity, moved, type Order } from '../../../sentence/order.ts';
import { entryAt } from '../../../views/entry-at.ts';
import type { Cursor } from '../../../views/scene.ts';
import type { LiveFigure } from '../../contract/kind.ts';
import type { ArrangedWords } from './arranged-words.ts';
import type { fields, Pictured } from './numbers.ts';
import { words } from './words.ts';

export interface WordMoves {
  /** The word that was chosen by a click, by focus or by moving it: an index into the sentence as written. */
  readonly chosen: Signal<number | undefined>;
  /** Words stay where they are. */
  readonly locked: boolean;
  order(): Order;
  wordAt(place: number): number;
  move(from: number, to: number): void;
  choose(word: number): void;
  /** Sets the cursor, where it is another one. */
  point(cursor: Cursor): void;
  /** The cursor when nothing is pointed at. */
  resting(): Cursor;
}

export function wordMoves(
  figure: LiveFigure<typeof fields, Pictured>,
  sentence: ArrangedWords['sentence'],
  announce: (text: string) => void,
): WordMoves {
  const chosen = signal<number | undefined>(undefined);
  const locked = figure.locked.includes('order');
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
  const move = (from: number, to: number): void => {
    const word = order()[from];
    // A word that is dragged may have gone with its sentence.
    if (locked || word === undefined) return;
    const next = moved(order(), from, to);
    chosen.value = word;
    figure.change({ order: isIdentity(next) ? [] : next });
    point({ query: order().indexOf(word) });
    announce(words.moved(sentence.peek()?.words[word] ?? '', order().indexOf(word) + 1, order().length));
  };
  return { chosen, locked, order, wordAt, move, choose, point, resting };
}
