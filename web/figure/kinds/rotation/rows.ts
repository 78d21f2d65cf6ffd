// Rows of tables by position, and the numbers of pairs as text.
import { entryAt, lastEntry } from '../../../charts/entry-at.ts';
import type { Rotation } from '../../compute/rotation.ts';
import { formatDegrees } from './dial.ts';
import { strings } from './strings.ts';

/**
 * Returns the table row for a position. Row 0, for the position in the spec, is returned if `position` is undefined.
 */
export const rowOf = (position: number | undefined): number => (position === undefined ? 0 : position + 1);

export const matrixEntry = (
  tensor: { readonly shape: readonly number[]; readonly data: Float32Array },
  row: number,
  column: number,
): number => entryAt(tensor.data, row * lastEntry(tensor.shape) + column);

/** Formats the angle per position: '18°/place'. Empty if it is not constant. */
export const speedText = ({ anglePerPosition }: Rotation, pair: number): string =>
  anglePerPosition ? strings.speed(formatDegrees(entryAt(anglePerPosition, pair))) : '';
