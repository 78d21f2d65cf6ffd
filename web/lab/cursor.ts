// The one cursor of the page. Words are named by their index in the sentence as written, so that it follows them.
import { computed, signal } from '@preact/signals-core';
import type { Figure } from '../figure/compute.ts';
import type { PlaceCursor } from '../figure/pictures/place-cursor.ts';
import { words } from './store.ts';

/** The word the reader chose by a click, by focus or by moving it. */
const choice = signal<number | undefined>(undefined);

export interface Pointed {
  /** The word that attends, when it is another than the chosen one. */
  readonly query?: number | undefined;
  /** The word attended to. */
  readonly key?: number | undefined;
  readonly dimension?: number | undefined;
}

/** What the reader points at just now. */
export const pointed = signal<Pointed>({});

/** Until the reader chooses, the last word, which sees all others under any mask; in a text that scrolls, one in sight. */
const usual = (count: number): number => (count <= 60 ? count - 1 : 40);

export const chosen = computed(() => Math.min(choice.value ?? usual(words.value.length), words.value.length - 1));

export function choose(word: number | undefined): void {
  choice.value = word;
}

/** Points at something; nothing happens when it is what the reader points at already. */
export function point(next: Pointed): void {
  const { query, key, dimension } = pointed.peek();
  if (query !== next.query || key !== next.key || dimension !== next.dimension) pointed.value = next;
}

/** The cursor in the places of a figure. */
export function placeCursor({ order }: Figure): PlaceCursor {
  const { query, key, dimension } = pointed.value;
  const place = (word: number): number => order.indexOf(word);
  const found = key === undefined ? -1 : place(key);
  return { query: Math.max(0, place(query ?? chosen.value)), key: found < 0 ? undefined : found, dimension };
}
