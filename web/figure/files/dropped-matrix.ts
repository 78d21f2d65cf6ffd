import type { Tensor } from '../../engine/index.ts';
import { type EncodingSpec, encodingSpec, FieldError } from '../contract/fields.ts';
import type { DroppedFile } from '../contract/kind.ts';
import { FILE_STRINGS } from './strings.ts';

/**
 * Returns the only matrix in a file. Throws a FieldError if there is none or more than one, or if an entry is not
 * finite.
 */
export function readDroppedMatrix({ tensors }: DroppedFile): Tensor {
  const names = Object.keys(tensors ?? {});
  const [only] = names;
  if (!tensors || only === undefined) throw new FieldError(FILE_STRINGS.noArray);
  const matrices = names.length === 1 ? names : names.filter((name) => tensors[name]?.shape.length === 2);
  if (matrices.length > 1) throw new FieldError(FILE_STRINGS.severalMatrices(matrices.slice(0, 8)));
  const name = matrices[0] ?? only;
  const tensor = tensors[name] as Tensor;
  if (tensor.shape.length !== 2) throw new FieldError(FILE_STRINGS.notMatrix(name, tensor.shape));
  if (!tensor.data.every(Number.isFinite)) throw new FieldError(FILE_STRINGS.notFinite(name));
  return tensor;
}

/** Returns field values that display a file's matrix as a position table, with one row per position. */
export function readDroppedTable(file: DroppedFile): {
  readonly encoding: EncodingSpec;
  readonly length: number;
  readonly dim: number;
  readonly positionOffset: number;
} {
  const table = readDroppedMatrix(file);
  const [length = 0, width = 0] = table.shape;
  return { encoding: encodingSpec('learned', { table }), length, dim: width, positionOffset: 0 };
}
