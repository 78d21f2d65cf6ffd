// Converts arrays to tensors, and checks whether they are too long for a program.
import type { Tensor } from '../../engine/index.ts';

/** Maximum number of elements in a literal; a program reads longer arrays from a file. */
const MAX_LITERAL_ELEMENTS = 64;

/** An array as a tensor; undefined for other values. */
export function asTensor(value: unknown): Tensor | undefined {
  if (Array.isArray(value) || ArrayBuffer.isView(value)) {
    const data = Float32Array.from(value as unknown as ArrayLike<number>);
    return { shape: [data.length], data };
  }
  return typeof value === 'object' && value !== null ? (value as Tensor) : undefined;
}

export const isLongTensor = ({ data }: Tensor): boolean => data.length > MAX_LITERAL_ELEMENTS;
