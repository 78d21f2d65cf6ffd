// Permutations: drawn from a seed with the random numbers of the core, and applied to rows.

import { entryAt } from '../../charts/entry-at.ts';
import type { Tensor } from '../../engine/index.ts';
import type { Order } from '../../sentence/order.ts';
import type { Engine } from '../contract/kind.ts';

/** Draws a random permutation by sorting random numbers. All permutations are equally likely. */
export async function drawRandomOrder(length: number, seed: number, { randomNormal }: Pick<Engine, 'randomNormal'>): Promise<Order> {
  const { data } = await randomNormal({ seed, shape: [length] });
  return Array.from(data.keys()).sort((a, b) => entryAt(data, a) - entryAt(data, b) || a - b);
}

/** Moves the rows of a matrix: row `position` of the result is row `order[position]`. */
export function reorderRows({ shape, data }: Tensor, order: Order): Tensor {
  const width = entryAt(shape, 1);
  const reorderedRows = new Float32Array(data.length);
  for (const [position, row] of order.entries()) reorderedRows.set(data.subarray(row * width, (row + 1) * width), position * width);
  return { shape, data: reorderedRows };
}
