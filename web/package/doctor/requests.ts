import type { DiagnoseRequest } from '../../engine/doctor/requests.ts';
import { type NamedTensor, readConfigFile, readGguf, readTensors } from './dump-files.ts';
import type { DoctorOptions } from './options.ts';

export interface DoctorRequest {
  readonly request: DiagnoseRequest;
  /** The tensors by request field. */
  readonly inputs: { readonly [field: string]: NamedTensor };
}

type Tensors = ReadonlyMap<string, NamedTensor>;
type Inputs = { readonly [field: string]: NamedTensor };

const ROTATION_NAMES = [
  ['before', 'after'],
  ['q', 'q_rot'],
  ['k', 'k_rot'],
  ['q_before', 'q_after'],
  ['k_before', 'k_after'],
] as const;
const FLOAT_TYPES = ['F16', 'BF16', 'F32', 'F64'];
/** Maps tensor names in files to request fields. */
const FIELD_NAMES: { readonly [name: string]: string } = {
  inv_freq: 'invFreq',
  cos: 'cos',
  sin: 'sin',
  cos_sin_cache: 'cosSinCache',
  products: 'products',
  q: 'q',
  k: 'k',
  scores: 'scores',
  weights: 'weights',
  sinks: 'sinks',
};
const selectInputs = (tensors: Tensors, names: readonly string[]): Inputs =>
  Object.fromEntries(names.flatMap((name) => (tensors.has(name) ? [[FIELD_NAMES[name] ?? name, tensors.get(name) as NamedTensor]] : [])));

/**
 * Assigns tensors to request fields by name. Two tensors with other names are assigned in order, as `before` and `after` or, in a
 * comparison, as `reference` and `ours`.
 */
function assignInputs(tensorList: readonly NamedTensor[], isComparison: boolean): Inputs {
  const tensors: Tensors = new Map(tensorList.map((tensor) => [tensor.name, tensor]));
  const hasAll = (...names: readonly string[]) => names.every((name) => tensors.has(name));
  if (!isComparison) {
    if (hasAll('scores') || hasAll('weights')) return selectInputs(tensors, ['products', 'q', 'k', 'scores', 'weights', 'sinks']);
    const pairNames = ROTATION_NAMES.find((names) => hasAll(...names));
    if (pairNames) return { before: tensors.get(pairNames[0]) as NamedTensor, after: tensors.get(pairNames[1]) as NamedTensor };
    if (['inv_freq', 'cos', 'sin', 'cos_sin_cache'].some((name) => hasAll(name)))
      return selectInputs(tensors, ['inv_freq', 'cos', 'sin', 'cos_sin_cache']);
    if (hasAll('position_ids')) return selectInputs(tensors, ['position_ids']);
  }
  if (hasAll('reference', 'ours')) return selectInputs(tensors, ['reference', 'ours']);
  const [first, second, ...others] = tensorList;
  if (!first || !second || others.length > 0) {
    const names = tensorList.map(({ name }) => name).slice(0, 8);
    throw new Error(
      `files: ${names.length > 0 ? `${names.join(', ')} cannot be diagnosed` : 'there are no tensors'}; expected two tensors, or tensors named as in --help`,
    );
  }
  return isComparison ? { reference: first, ours: second } : { before: first, after: second };
}

const toNumbers = ({ data }: NamedTensor) => Array.from(data);
/** Converts a tensor of shape [tokens] to a list of numbers, and a tensor of shape [tokens, axes] to one list per token. */
function toRows({ shape, data }: NamedTensor): number[] | number[][] {
  if (shape.length === 1) return Array.from(data);
  const axes = shape.at(-1) as number;
  return Array.from({ length: data.length / axes }, (_, token) => Array.from(data.subarray(token * axes, (token + 1) * axes)));
}

/** Converts position ids to shape [tokens] or [3][tokens], and removes a batch axis of size 1. */
function toPositionIds({ shape, data }: NamedTensor): number[] | number[][] {
  const tokens = shape.at(-1) as number;
  const axes = data.length / tokens;
  if (axes === 1) return Array.from(data);
  if (axes !== 3) throw new Error(`position_ids: the shape is ${shape.join(' x ')}; expected [tokens] or [3, tokens]`);
  return Array.from({ length: 3 }, (_, axis) => Array.from(data.subarray(axis * tokens, (axis + 1) * tokens)));
}

async function readSingleTensor(file: string): Promise<NamedTensor> {
  const [first, ...others] = await readTensors(file);
  if (!first || others.length > 0) throw new Error(`${file}: does not contain exactly one tensor; expected FILE#NAME`);
  return first;
}

export async function readRequest(options: DoctorOptions): Promise<DoctorRequest> {
  const { files, layer, axes, heads, item, dim } = options;
  const config = options.config === undefined ? undefined : await readConfigFile(options.config);
  if (options.gguf !== undefined) {
    if (!config || files.length > 0) throw new Error('--gguf: can only be compared with a config; expected --config and no other file');
    const { metadata, tensors } = await readGguf(options.gguf);
    return { request: { config, ...(layer === undefined ? {} : { layerIdx: layer }), gguf: { ...metadata, tensors } }, inputs: {} };
  }
  if (files.length === 0) throw new Error('files: no file was provided; expected .npy or .safetensors files (see phasor doctor --help)');
  const allTensors = (await Promise.all(files.map(readTensors))).flat();
  const inputs = assignInputs(allTensors, options.compare);
  const claimFields = { claim: options.claim, config, layerIdx: layer };
  if (inputs.position_ids) {
    const findTensor = (name: string) => allTensors.find((tensor) => tensor.name === name);
    const [mask, segments] = [findTensor('mask'), findTensor('segments')];
    const positionOptions = { past: options.past, start: options.start, spec: options.parts };
    return {
      request: {
        positionIds: toPositionIds(inputs.position_ids),
        ...(mask ? { mask: toNumbers(mask) } : {}),
        ...(segments ? { segments: toNumbers(segments) } : {}),
        ...positionOptions,
      } as DiagnoseRequest,
      inputs,
    };
  }
  for (const [field, { dtype, file }] of Object.entries(inputs))
    if (!FLOAT_TYPES.includes(dtype)) throw new Error(`${file}: ${field} has dtype ${dtype}; expected ${FLOAT_TYPES.join(', ')}`);
  const tensors = Object.fromEntries(Object.entries(inputs).map(([field, { shape, data }]) => [field, { shape, data }]));
  const hasVectors = 'before' in inputs || 'reference' in inputs;
  const hasTables = !hasVectors && !('scores' in inputs || 'weights' in inputs);
  const positions = options.positions === undefined ? {} : { positions: toRows(await readSingleTensor(options.positions)) };
  const otherOptions = hasVectors ? { axes, heads, item, ...positions } : { dim, ...(hasTables ? positions : {}) };
  return { request: { ...tensors, ...claimFields, ...otherOptions } as DiagnoseRequest, inputs };
}
