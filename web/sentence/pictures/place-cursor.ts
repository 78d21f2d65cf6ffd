// The cursor in terms of the places of a figure, and the data of a figure by place.
import type { Grid } from '../../views/grid.ts';
import type { Frame } from '../../views/picture.ts';
import type { Figure } from '../compute.ts';

export type { Frame };

export interface PlaceCursor {
  /** The place of the query. */
  readonly query: number;
  /** The place of the key, when the user points at one. */
  readonly key?: number | undefined;
  readonly dimension?: number | undefined;
}

/** The words in the current order. */
export const placedWords = ({ order, words }: Figure): string[] => order.map((word) => words[word] as string);

/** Keys of the words at each place, for animating words that move. */
export const placedKeys = ({ order }: Figure): string[] => order.map(String);

/** A tensor [rows, columns] or [1, rows, columns] as a grid. */
export const gridOf = ({ shape, data }: { readonly shape: readonly number[]; readonly data: Float32Array }): Grid => ({
  rows: shape.at(-2) as number,
  columns: shape.at(-1) as number,
  data,
});
