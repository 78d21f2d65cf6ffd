// Where query and key may be moved: on the line, and at whole places when they are let go.
import type { DragState } from './picture.ts';

export interface Positions {
  readonly query: number;
  readonly key: number;
}

/** The first and the last position of the line. */
export type Range = readonly [number, number];

export const limited = (value: number, [first, last]: Range): number => Math.max(first, Math.min(last, value));

/** How far both may be moved, of so many places. */
export function farBoth({ query, key }: Positions, by: number, [first, last]: Range): number {
  const [least, most] = [first - Math.min(query, key), last - Math.max(query, key)];
  // Further apart than the line is long, they move as they like.
  return least > most ? by : Math.max(least, Math.min(most, by));
}

/** Where both are when what is held has moved by so many places. */
export function moved(held: DragState, from: Positions, by: number, range: Range): Positions {
  if (held !== 'both') return { ...from, [held]: limited(from[held] + by, range) };
  const way = farBoth(from, by, range);
  return { query: from.query + way, key: from.key + way };
}

/** At a whole place, or as far from the next as it was where both move. */
export function movedWhole(held: DragState, from: Positions, by: number, range: Range): Positions {
  if (held === 'both') return moved(held, from, Math.round(by), range);
  return { ...from, [held]: Math.round(limited(from[held] + by, range)) };
}
