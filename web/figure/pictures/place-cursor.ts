// What the reader points at, in the places of a figure.
import type { Grid } from '../../views/grid.ts';
import type { Theme } from '../../views/picture.ts';
import type { Figure } from '../compute.ts';

export interface PlaceCursor {
  /** The place of the word that attends. */
  readonly query: number;
  /** The place of the word it attends to, when the reader points at one. */
  readonly key?: number | undefined;
  readonly dimension?: number | undefined;
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

/** The matrix of [rows, columns] or of [1, rows, columns], which is one of the head shown. */
export const gridOf = ({ shape, data }: { readonly shape: readonly number[]; readonly data: Float32Array }): Grid => ({
  rows: shape.at(-2) as number,
  columns: shape.at(-1) as number,
  data,
});
