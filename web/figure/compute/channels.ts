// Channels in another order.

import { entryAt } from '../../charts/entry-at.ts';
import type { Tensor } from '../../engine/index.ts';

/** Columns in another order: those of each block of `order.length`. */
export const withChannels = ({ shape, data }: Tensor, order: readonly number[]): Tensor => ({
  shape,
  data: data.map((_, at) => entryAt(data, at - (at % order.length) + entryAt(order, at % order.length))),
});

/** The order that undoes another. */
export const inverseOrder = (order: readonly number[]): readonly number[] => order.map((_, channel) => order.indexOf(channel));
