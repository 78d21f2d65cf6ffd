// Channels in another order.
import type { Tensor } from '../../engine/index.ts';

/** Columns in another order: those of each block of `order.length`. */
export const withChannels = ({ shape, data }: Tensor, order: readonly number[]): Tensor => ({
  shape,
  data: data.map((_, at) => data[at - (at % order.length) + (order[at % order.length] as number)] as number),
});

/** The order that undoes another. */
export const inverseOrder = (order: readonly number[]): readonly number[] => order.map((_, channel) => order.indexOf(channel));
