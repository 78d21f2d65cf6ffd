// Reorders channels.

import { entryAt } from '../../charts/entry-at.ts';
import type { Tensor } from '../../engine/index.ts';

/** Reorders the columns. A matrix with more columns than `order` is reordered in blocks of `order.length` columns. */
export const reorderChannels = ({ shape, data }: Tensor, order: readonly number[]): Tensor => ({
  shape,
  data: data.map((_, index) => entryAt(data, index - (index % order.length) + entryAt(order, index % order.length))),
});

export const invertOrder = (order: readonly number[]): readonly number[] => order.map((_, channel) => order.indexOf(channel));
