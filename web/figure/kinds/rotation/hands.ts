// The two hands of a pair: where they point, and how far apart they are. A dial shows what the core has rotated; directions are read from that.
import { entryAt } from '../../../charts/entry-at.ts';
import type { Rotation } from '../../compute/rotation-numbers.ts';
import type { RotationState } from '../../compute/rotation-standing.ts';

export interface Hand {
  /** Counterclockwise from the right, radians. */
  readonly direction: number;
  /** In the unit of the vectors. */
  readonly length: number;
}

export interface Hands {
  readonly query: Hand;
  readonly key: Hand;
  /** From the key to the query, the short way: between -π and π. */
  readonly apart: number;
}

/** An angle without whole turns. */
const short = (angle: number): number => Math.atan2(Math.sin(angle), Math.cos(angle));

export function handsOf({ channels }: Pick<Rotation, 'channels'>, { rotated }: RotationState, pair: number): Hands {
  const [a, b] = entryAt(channels, pair);
  const hand = (data: Float32Array): Hand => {
    const [x, y] = [entryAt(data, a), entryAt(data, b)];
    return { direction: Math.atan2(y, x), length: Math.hypot(x, y) };
  };
  const [query, key] = [hand(rotated.query), hand(rotated.key)];
  return { query, key, apart: short(query.direction - key.direction) };
}

/** By how much each has turned since, radians. */
export function turnedSince(
  { angles }: RotationState,
  before: RotationState,
  pair: number,
): { readonly query: number; readonly key: number } {
  const turned = (name: 'query' | 'key'): number => entryAt(angles[name], pair) - entryAt(before.angles[name], pair);
  return { query: turned('query'), key: turned('key') };
}
