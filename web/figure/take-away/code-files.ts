// Arrays of an encoding that are too long to stand in a program.
import type { Tensor } from '../../engine/index.ts';
import type { EncodingSpec } from '../fields.ts';

/** More numbers than this are read from a file. */
const MAX_LITERAL = 64;

/** A given array as a tensor; undefined for other values. */
export function tensorOf(value: unknown): Tensor | undefined {
  if (Array.isArray(value) || ArrayBuffer.isView(value)) {
    const data = Float32Array.from(value as unknown as ArrayLike<number>);
    return { shape: [data.length], data };
  }
  return typeof value === 'object' && value !== null ? (value as Tensor) : undefined;
}

export const isLong = ({ data }: Tensor): boolean => data.length > MAX_LITERAL;

/** The arrays that the program of an encoding reads from files, to be offered as `name`.npy beside it. */
export const codeFiles = ({ id, ...params }: EncodingSpec): { readonly [name: string]: Tensor } =>
  Object.fromEntries(
    Object.entries(params).flatMap(([name, value]) => {
      const tensor = tensorOf(value);
      return tensor && isLong(tensor) ? [[name, tensor]] : [];
    }),
  );
