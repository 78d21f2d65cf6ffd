// Tensor layouts for tests, computed element by element.

import type { Tensor, TensorView } from '../../web/engine/types/api.ts';

/** Every index of a shape, in row-major order. */
export const indices = (shape: readonly number[]): number[][] =>
  shape.reduce<number[][]>((indices, extent) => indices.flatMap((index) => Array.from({ length: extent }, (_, i) => [...index, i])), [[]]);

export const copied = ({ shape, strides, offset, data }: TensorView): Tensor => ({
  shape,
  data: Float32Array.from(
    indices(shape),
    (index) => data[index.reduce((position, i, axis) => position + i * (strides[axis] as number), offset)] as number,
  ),
});

/** The same tensor in another layout: reversed axes, doubled strides, and an offset of 5. */
export function scattered({ shape, data }: Tensor): TensorView {
  const strides = shape.map((_, axis) => 2 * shape.slice(0, axis).reduce((product, extent) => product * extent, 1));
  const scattered = new Float32Array(5 + 2 * data.length).fill(Number.NaN);
  for (const [i, index] of indices(shape).entries()) {
    scattered[index.reduce((position, n, axis) => position + n * (strides[axis] as number), 5)] = data[i] as number;
  }
  return { shape, strides, offset: 5, data: scattered };
}

/** [heads, tokens, headDim] -> [tokens, heads * headDim], for every item of a batch. */
export function sideBySide({ shape, data }: Tensor): Tensor {
  const [width = 0, tokens = 0, heads = 0, batch = 1] = [...shape].reverse();
  const position = ([item = 0, token = 0, channel = 0]: readonly number[]) =>
    data[((item * heads + Math.floor(channel / width)) * tokens + token) * width + (channel % width)] as number;
  return {
    shape: [...shape.slice(0, -3), tokens, heads * width],
    data: Float32Array.from(indices([batch, tokens, heads * width]), position),
  };
}
