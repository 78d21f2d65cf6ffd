// Formats an encoding as a Python expression that constructs the class in public/reference/<id>.py.
import type { EncodingInfo, Tensor } from '../../engine/index.ts';
import type { EncodingSpec } from '../contract/fields.ts';
import { shortestDecimal } from './csv.ts';
import { drawParameters, type EncodingDims } from './drawn-parameters.ts';
import { asTensor, isLongTensor } from './long-tensor.ts';

export interface EncodingCall {
  readonly importLine: string;
  /** A Python expression such as Rope(base=500000). */
  readonly expression: string;
  /** The arrays that the program reads, by file name. */
  readonly data: { readonly [file: string]: Tensor };
}

/**
 * Parameters that affect only the random initialization or the size of arrays. They are omitted from the expression, because the program
 * loads the arrays.
 */
const OMITTED_PARAMETERS = ['seed', 'init_std', 'spread', 'noise', 'mlp_width'];

/** Returns the class name in an encoding's reference program, such as Rope2d for rope_2d. */
export const toClassName = (id: string): string =>
  id === 'none' ? 'NoEncoding' : id.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Formats a tensor as nested brackets, with one level per axis. */
export function formatNestedLiteral({ shape, data }: Tensor): string {
  const [rows = 0, ...innerShape] = shape;
  if (shape.length < 2) return `[${Array.from(data, shortestDecimal).join(', ')}]`;
  const rowSize = innerShape.reduce((product, extent) => product * extent, 1);
  const formatRow = (index: number): string =>
    formatNestedLiteral({ shape: innerShape, data: data.subarray(index * rowSize, (index + 1) * rowSize) });
  return `[${Array.from({ length: rows }, (_, index) => formatRow(index)).join(', ')}]`;
}

function formatPythonLiteral(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return typeof value === 'string' ? `'${value}'` : String(value);
}

/** Formats parameters as Python keyword arguments. Arrays become lists. */
export const formatKeywordArguments = (params: { readonly [name: string]: unknown }): string[] =>
  Object.entries(params).flatMap(([name, value]) => {
    if (value === undefined || (name === 'scaling' && value === 'none')) return [];
    const tensor = asTensor(value);
    return [`${name}=${tensor ? formatNestedLiteral(tensor) : formatPythonLiteral(value)}`];
  });

/** @param prefix the prefix of data file names */
export function createEncodingCall(
  spec: EncodingSpec,
  encodings: readonly EncodingInfo[],
  dims: EncodingDims,
  prefix = `${spec.id}_`,
): EncodingCall {
  const { id, ...params } = spec;
  const info = encodings.find((candidate) => candidate.id === id);
  if (!info) throw new Error(`encoding: ${id} does not exist; expected one of ${encodings.map((encoding) => encoding.id).join(', ')}`);
  const data: { [name: string]: Tensor } = {};
  const fields = Object.entries({ ...params, ...drawParameters(spec, info, dims) }).flatMap(([name, value]) => {
    // rope_mixed uses its base only to initialize the frequencies.
    if (value === undefined || OMITTED_PARAMETERS.includes(name) || (id === 'rope_mixed' && name === 'base')) return [];
    const tensor = asTensor(value);
    if (!tensor) return [`${name}=${formatPythonLiteral(value)}`];
    if (!isLongTensor(tensor)) return [`${name}=np.array(${formatNestedLiteral(tensor)}, dtype=np.float32)`];
    const file = `${prefix}${name}.npy`;
    data[file] = tensor;
    return [`${name}=np.load('${file}')`];
  });
  return { importLine: `from ${id} import ${toClassName(id)}`, expression: `${toClassName(id)}(${fields.join(', ')})`, data };
}
