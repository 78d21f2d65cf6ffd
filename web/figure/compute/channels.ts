// Reorders channels.

import { entryAt } from '../../charts/entry-at.ts';
import type { Tensor } from '../../engine/index.ts';

/** Reorders the columns within each block of `order.length` columns. */
export const withChannels = ({ shape, data }: Tensor, order: readonly number[]): Tensor => ({
  shape,
  data: data.map((_, at) => entryAt(data, at - (at % order.length) + entryAt(order, at % order.length))),
});

/** The inverse of a permutation. */
export const inverseOrder = (order: readonly number[]): readonly number[] => order.map((_, channel) => order.indexOf(channel));
