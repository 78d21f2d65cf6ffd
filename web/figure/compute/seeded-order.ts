// Draws random permutations from a seed, and applies them to rows.

import { entryAt } from '../../charts/entry-at.ts';
import type { Tensor } from '../../engine/index.ts';
import type { Order } from '../../sentence/order.ts';
import type { Engine } from '../contract/kind.ts';

/** Draws a uniformly distributed permutation by sorting random numbers from the core. */
export async function drawRandomOrder(length: number, seed: number, { randomNormal }: Pick<Engine, 'randomNormal'>): Promise<Order> {
  const { data } = await randomNormal({ seed, shape: [length] });
  return Array.from(data.keys()).sort((a, b) => entryAt(data, a) - entryAt(data, b) || a - b);
}

/** Reorders the rows of a matrix: row i of the result is row `order[i]`. */
export function reorderRows({ shape, data }: Tensor, order: Order): Tensor {
  const width = entryAt(shape, 1);
  const reorderedRows = new Float32Array(data.length);
  for (const [position, row] of order.entries()) reorderedRows.set(data.subarray(row * width, (row + 1) * width), position * width);
  return { shape, data: reorderedRows };
}
