// Fields for the user's arrays, which a dropped file can set.
import type { Tensor } from '../../../engine/index.ts';
import { type Field, FieldError, tensor } from '../../contract/fields.ts';
import type { DroppedFile } from '../../contract/kind.ts';
import { strings } from './strings.ts';

/** Removes the batch axis of model outputs if its size is 1. */
const withoutBatch = (provided: unknown): unknown => {
  const { shape, data } = (provided ?? {}) as Partial<Tensor>;
  return Array.isArray(shape) && shape.length === 4 && shape[0] === 1 ? { shape: shape.slice(1), data } : provided;
};

export function createHeadArrayField(axes: string): Field<Tensor | undefined> {
  const field = tensor(({ shape, data }) => {
    if (shape.length !== 3 || shape.includes(0)) throw new FieldError(strings.wrongRank(shape, axes));
    if (!data.every(Number.isFinite)) throw new FieldError(strings.notFiniteEntries);
  });
  return { ...field, read: (provided) => field.read(withoutBatch(provided)) };
}

/** One word per token: a list, or a string separated by spaces. */
export const wordsField: Field<readonly string[]> = {
  initial: [],
  control: { kind: 'none' },
  read(provided) {
    const list = typeof provided === 'string' ? provided.split(/\s+/).filter(Boolean) : provided;
    if (!Array.isArray(list) || list.some((word) => typeof word !== 'string')) throw new FieldError(strings.notStringList);
    return list as string[];
  },
  print: (list) => (list.some((word) => word === '' || /\s/.test(word)) ? undefined : list.join(' ')),
};

/** Defaults for all fields that describe the arrays, restored when a file is dropped. */
const RESET_FIELDS = {
  ...{ q: undefined, k: undefined, weights: undefined, tokens: [], keyTokens: [], encoding: { id: 'none' } },
  ...{ mask: 'none', window: 0, layers: 1, layer: 0, head: 0, span: 0, query: 0, key: 0 },
} as const;

const withHeadAxis = ({ shape, data }: Tensor): Tensor => ({ shape: shape.length === 2 ? [1, ...shape] : shape, data });

/**
 * Returns the fields that a dropped file sets: `q` and `k`, or `weights`. A single array is used as `weights`, whatever
 * its name.
 */
export function readDroppedArrays({ tensors }: DroppedFile): Partial<Record<keyof typeof RESET_FIELDS, unknown>> | undefined {
  const names = Object.keys(tensors ?? {});
  const readArray = (name: string): Tensor => withHeadAxis(tensors?.[name] as Tensor);
  if (!tensors || names.length === 0) return undefined;
  if (names.includes('q') && names.includes('k')) return { ...RESET_FIELDS, q: readArray('q'), k: readArray('k') };
  const name = names.includes('weights') ? 'weights' : names.length === 1 ? names[0] : undefined;
  if (name === undefined) throw new FieldError(strings.ambiguousArrays(names.slice(0, 8)));
  return { ...RESET_FIELDS, weights: readArray(name) };
}
