// The shared cursor of the page. Words are identified by their index in the original sentence, so the cursor follows them when they move.
import { computed, signal } from '@preact/signals-core';
import type { Figure } from '../sentence/compute.ts';
import type { PlaceCursor } from '../sentence/pictures/place-cursor.ts';
import { words } from './store.ts';

/** The word that the user selected by a click, by focus or by moving it. */
const choice = signal<number | undefined>(undefined);

export interface Pointed {
  /** The query, if other than the selected word. */
  readonly query?: number | undefined;
  /** The key. */
  readonly key?: number | undefined;
  readonly dimension?: number | undefined;
}

/** What the user points at. */
export const pointed = signal<Pointed>({});

/** Selected by default: the last word, which attends to all words under any mask; in a text that scrolls, a visible one. */
const defaultWord = (count: number): number => (count <= 60 ? count - 1 : 40);

export const chosen = computed(() => Math.min(choice.value ?? defaultWord(words.value.length), words.value.length - 1));

export function choose(word: number | undefined): void {
  choice.value = word;
}

/** Sets what the user points at, if it changed. */
export function point(next: Pointed): void {
  const { query, key, dimension } = pointed.peek();
  if (query !== next.query || key !== next.key || dimension !== next.dimension) pointed.value = next;
}

/** The cursor in terms of the places of a figure. */
export function placeCursor({ order }: Figure): PlaceCursor {
  const { query, key, dimension } = pointed.value;
  const place = (word: number): number => order.indexOf(word);
  const found = key === undefined ? -1 : place(key);
  return { query: Math.max(0, place(query ?? chosen.value)), key: found < 0 ? undefined : found, dimension };
}
