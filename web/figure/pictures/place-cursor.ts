// What the reader points at, in the places of a figure.
import type { Theme } from '../../views/picture.ts';
import type { Figure } from '../compute.ts';

export interface PlaceCursor {
  /** The place of the word that attends. */
  readonly query: number;
  /** The place of the word it attends to, when the reader points at one. */
  readonly key?: number | undefined;
  readonly dimension?: number | undefined;
  readonly head: number;
}

/** The room a picture has, and its colours. */
export interface Frame {
  readonly width: number;
  readonly maxHeight?: number | undefined;
  readonly theme: Theme;
}

/** The words in the order they stand in. */
export const placedWords = ({ order, words }: Figure): string[] => order.map((word) => words[word] as string);

/** Identities of the places' words, so that they are followed when they move. */
export const placedKeys = ({ order }: Figure): string[] => order.map(String);

/** The matrix of one head out of [heads, rows, columns]. */
export function headOf({ shape, data }: { readonly shape: readonly number[]; readonly data: Float32Array }, head: number) {
  const [heads = 1, rows = 0, columns = 0] = shape;
  const at = Math.min(head, heads - 1) * rows * columns;
  return { rows, columns, data: data.subarray(at, at + rows * columns) };
}
