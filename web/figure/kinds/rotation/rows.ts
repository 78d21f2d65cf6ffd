import { entryAt, lastEntry } from '../../../charts/entry-at.ts';
import type { Rotation } from '../../compute/rotation.ts';
import { formatDegrees } from './dial.ts';
import { strings } from './strings.ts';

/** Returns the table row for an integer position. Without a position, returns row 0, which is for the position in the spec. */
export const getTableRow = (position: number | undefined): number => (position === undefined ? 0 : position + 1);

export const getMatrixEntry = (
  tensor: { readonly shape: readonly number[]; readonly data: Float32Array },
  row: number,
  column: number,
): number => entryAt(tensor.data, row * lastEntry(tensor.shape) + column);

/** Formats a pair's angle per position: '18°/step'. Empty if it is not constant. */
export const formatSpeed = ({ anglePerPosition }: Rotation, pair: number): string =>
  anglePerPosition ? strings.speedLabel(formatDegrees(entryAt(anglePerPosition, pair))) : '';
