import type { Tensor } from '../../engine/index.ts';

/** Programs read longer arrays from a file. */
const MAX_LITERAL_ELEMENTS = 64;

export function asTensor(value: unknown): Tensor | undefined {
  if (Array.isArray(value) || ArrayBuffer.isView(value)) {
    const data = Float32Array.from(value as unknown as ArrayLike<number>);
    return { shape: [data.length], data };
  }
  return typeof value === 'object' && value !== null ? (value as Tensor) : undefined;
}

export const isLongTensor = ({ data }: Tensor): boolean => data.length > MAX_LITERAL_ELEMENTS;
