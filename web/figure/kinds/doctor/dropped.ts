// Determines which fields a dropped file sets, based on the names of its arrays or its file name.
import { computeDotProducts } from '../../../engine/doctor/products.ts';
import type { Tensor } from '../../../engine/index.ts';
import { FieldError } from '../../contract/fields.ts';
import type { DroppedFile } from '../../contract/kind.ts';
import type { DumpKind } from './compute.ts';
import { strings } from './strings.ts';

/** Names of arrays that form a pair, and the value of the field `dump` for each pair. */
const ARRAY_PAIRS: readonly (readonly [firstName: string, secondName: string, dump: DumpKind])[] = [
  ['products', 'scores', 'scores'],
  ['products', 'weights', 'weights'],
  ['before', 'after', 'rotation'],
  ['q', 'q_rot', 'rotation'],
  ['k', 'k_rot', 'rotation'],
  ['q_before', 'q_after', 'rotation'],
  ['k_before', 'k_after', 'rotation'],
  ['reference', 'ours', 'comparison'],
  ['cos', 'sin', 'cos_sin'],
];
/** Names that a file's only array can have, the field that the array sets, and the value of the field `dump`. */
const SINGLE_ARRAYS: { readonly [name: string]: readonly [field: 'input' | 'output', dump: DumpKind] } = {
  products: ['input', 'scores'],
  scores: ['output', 'scores'],
  weights: ['output', 'weights'],
  cos: ['input', 'cos_sin'],
  sin: ['output', 'cos_sin'],
  cos_sin_cache: ['output', 'cos_sin_cache'],
  inv_freq: ['output', 'inv_freq'],
  position_ids: ['output', 'position_ids'],
};
/** Matches names of arrays or files that contain vectors after the rotation. */
const ROTATED_FILE_NAME = /rot|after|ours|post/i;
const COMPARISON_FILE_NAME = /^(ref|reference|ours)\b/i;

function products(q: Tensor, k: Tensor): Tensor {
  const { shape, data } = computeDotProducts(q, k);
  return { shape: [...shape], data: Float32Array.from(data) };
}

export function readDroppedFields({ name, json, tensors }: DroppedFile): {
  readonly input?: Tensor;
  readonly output?: Tensor;
  readonly dump?: DumpKind;
  readonly config?: string;
} {
  const arrayNames = Object.keys(tensors ?? {});
  if (tensors && arrayNames.length > 0) {
    const getTensor = (array: string) => tensors[array] as Tensor;
    const scoresName = (['scores', 'weights'] as const).find((name) => arrayNames.includes(name));
    if (scoresName && ['q', 'k'].every((name) => arrayNames.includes(name)) && !arrayNames.includes('products'))
      return { input: products(getTensor('q'), getTensor('k')), output: getTensor(scoresName), dump: scoresName };
    const arrayPair = ARRAY_PAIRS.find(([firstName, secondName]) => arrayNames.includes(firstName) && arrayNames.includes(secondName));
    if (arrayPair) return { input: getTensor(arrayPair[0]), output: getTensor(arrayPair[1]), dump: arrayPair[2] };
    const [onlyName = ''] = arrayNames;
    if (arrayNames.length > 1) throw new FieldError(strings.ambiguousArrays(arrayNames.slice(0, 8)));
    const arrayName = onlyName === 'data' ? name : onlyName;
    const [field, dump] = SINGLE_ARRAYS[arrayName.replace(/\.npy$/, '')] ?? [ROTATED_FILE_NAME.test(arrayName) ? 'output' : 'input'];
    if (dump) return { [field]: getTensor(onlyName), dump };
    return { [field]: getTensor(onlyName), ...(COMPARISON_FILE_NAME.test(arrayName) ? { dump: 'comparison' as const } : {}) };
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json)) throw new FieldError(strings.notObject);
  return { config: JSON.stringify(json) };
}
