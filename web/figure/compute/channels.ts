// Reorders channels.

import { entryAt } from '../../charts/entry-at.ts';
import type { Tensor } from '../../engine/index.ts';

/** Reorders the columns. If there are more columns than entries in `order`, each block of `order.length` columns is reordered. */
export const reorderChannels = ({ shape, data }: Tensor, order: readonly number[]): Tensor => ({
  shape,
  data: data.map((_, index) => entryAt(data, index - (index % order.length) + entryAt(order, index % order.length))),
});

export const invertOrder = (order: readonly number[]): readonly number[] => order.map((_, channel) => order.indexOf(channel));
