import type { Tensor } from '../engine/index.ts';
import type { WidgetTraits } from './anywidget-types.ts';

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Converts an array from a notebook to a tensor. Throws an Error whose message names the array. */
function toTensor(name: string, provided: unknown): Tensor {
  const { shape, data } = (isObject(provided) ? provided : {}) as { shape?: unknown; data?: unknown };
  if (!Array.isArray(shape) || !shape.every((extent) => Number.isInteger(extent) && extent >= 0))
    throw new Error(`arrays.${name}: the shape is not a list of whole numbers`);
  if (!(data instanceof ArrayBuffer || ArrayBuffer.isView(data))) throw new Error(`arrays.${name}: the data is not binary`);
  const count = shape.reduce((size, extent) => size * extent, 1);
  if (data.byteLength !== 4 * count)
    throw new Error(
      `arrays.${name}: the data has ${data.byteLength} bytes; expected ${4 * count} for float32 values of shape ${shape.join(' x ')}`,
    );
  // Copies the bytes, because those of a message may not be aligned to 4 bytes, as Float32Array requires.
  const bytes = data instanceof ArrayBuffer ? data.slice(0) : data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength);
  return { shape, data: new Float32Array(bytes as ArrayBuffer) };
}

/** Merges the traits `spec` and `arrays` into the spec of a figure. Each array is the value of a field. */
export function toSpec({ spec, arrays }: { readonly [K in 'spec' | 'arrays']: unknown }): NonNullable<WidgetTraits['spec']> {
  if (spec !== undefined && spec !== null && !isObject(spec)) throw new Error('spec: not a dictionary; expected fields by name');
  if (arrays !== undefined && arrays !== null && !isObject(arrays))
    throw new Error('arrays: not a dictionary; expected arrays by field name');
  const fields: Record<string, unknown> = { kind: 'custom', ...(spec ?? {}) };
  for (const [name, input] of Object.entries(arrays ?? {})) {
    if (!/^[a-z]\w*(\.[a-z]\w*)?$/i.test(name))
      throw new Error(`arrays.${name}: the name must be a field, or a field and its parameter, such as encoding.table`);
    const [field = '', parameter] = name.split('.');
    const value = toTensor(name, input);
    if (parameter === undefined) {
      fields[field] = value;
      continue;
    }
    const fieldValue = fields[field];
    fields[field] = { ...(isObject(fieldValue) ? fieldValue : { id: fieldValue }), [parameter]: value };
  }
  return fields;
}
