// Arrays of an encoding that are too long for a program.
import type { Tensor } from '../../engine/index.ts';
import type { EncodingSpec } from '../contract/fields.ts';
import { isLong, tensorOf } from './long-tensor.ts';

/** The arrays that the program of an encoding reads from files, to be offered as `name`.npy beside it. */
export const codeFiles = ({ id, ...params }: EncodingSpec): { readonly [name: string]: Tensor } =>
  Object.fromEntries(
    Object.entries(params).flatMap(([name, value]) => {
      const tensor = tensorOf(value);
      return tensor && isLong(tensor) ? [[name, tensor]] : [];
    }),
  );
