// Rows of tables by position, and the numbers of pairs as text.
import { entryAt, lastEntry } from '../../../charts/entry-at.ts';
import type { Rotation } from '../../compute/rotation.ts';
import { formatDegrees } from './dial.ts';
import { strings } from './strings.ts';

/** The table row for a position; undefined selects row 0, which is for the position in the spec. */
export const rowOf = (position: number | undefined): number => (position === undefined ? 0 : position + 1);

export const matrixEntry = (
  tensor: { readonly shape: readonly number[]; readonly data: Float32Array },
  row: number,
  column: number,
): number => entryAt(tensor.data, row * lastEntry(tensor.shape) + column);

/** Such as '18°/place'; empty if the angle per position is not constant. */
export const speedText = ({ anglePerPosition }: Rotation, pair: number): string =>
  anglePerPosition ? strings.speed(formatDegrees(entryAt(anglePerPosition, pair))) : '';
