// The fields that a file of the reader sets, by the names of its arrays; of an .npy file by its own.
import type { Tensor } from '../../../engine/index.ts';
import { FieldError } from '../../contract/fields.ts';
import type { DroppedFile } from '../../contract/kind.ts';
import { strings } from './strings.ts';

/** Names of two arrays around a rotation, or of two implementations. */
const PAIRS = [
  ['before', 'after', false],
  ['q', 'q_rot', false],
  ['k', 'k_rot', false],
  ['q_before', 'q_after', false],
  ['k_before', 'k_after', false],
  ['reference', 'ours', true],
] as const;
/** The second of two files, by its name. */
const SECOND = /rot|after|ours|post/i;
const COMPARED = /^(ref|reference|ours)\b/i;

export function droppedFields({ name, json, tensors }: DroppedFile): {
  readonly input?: Tensor;
  readonly output?: Tensor;
  readonly compare?: boolean;
  readonly config?: string;
} {
  const names = Object.keys(tensors ?? {});
  if (tensors && names.length > 0) {
    const pair = PAIRS.find(([one, two]) => names.includes(one) && names.includes(two));
    if (pair) return { input: tensors[pair[0]] as Tensor, output: tensors[pair[1]] as Tensor, compare: pair[2] };
    const [only = ''] = names;
    if (names.length > 1) throw new FieldError(strings.which(names.slice(0, 8)));
    const stem = only === 'data' ? name : only;
    const field = SECOND.test(stem) ? 'output' : 'input';
    return { [field]: tensors[only] as Tensor, ...(COMPARED.test(stem) ? { compare: true } : {}) };
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json)) throw new FieldError(strings.notObject);
  return { config: JSON.stringify(json) };
}
