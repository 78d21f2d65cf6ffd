// Rows of tables by position, and the numbers of pairs as text.
import { entryAt, lastOf } from '../../../charts/entry-at.ts';
import type { Rotation } from '../../compute/rotation.ts';
import { degrees } from './dial.ts';
import { strings } from './strings.ts';

/** The table row for a position; undefined selects row 0, which is for the position in the spec. */
export const rowOf = (position: number | undefined): number => (position === undefined ? 0 : position + 1);

export const at = (tensor: { readonly shape: readonly number[]; readonly data: Float32Array }, row: number, column: number): number =>
  entryAt(tensor.data, row * lastOf(tensor.shape) + column);

/** Such as '18°/place'; empty if the angle per position is not constant. */
export const speedOf = ({ anglePerPosition }: Rotation, pair: number): string =>
  anglePerPosition ? strings.speed(degrees(entryAt(anglePerPosition, pair))) : '';
