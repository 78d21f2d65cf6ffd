// The content of small dump files: .npy, safetensors and GGUF headers.

/** Clears the low 16 bits of a value in float32, which makes it exact in bfloat16. */
export const bf16 = (value: number) =>
  Math.fround(
    new Float32Array(Uint32Array.of((new Uint32Array(Float32Array.of(value).buffer)[0] as number) & 0xffff0000).buffer)[0] as number,
  );

export function npyFile(shape: readonly number[], data: Float32Array | Int32Array): Buffer {
  const type = data instanceof Int32Array ? 'i4' : 'f4';
  const text = `{'descr': '<${type}', 'fortran_order': False, 'shape': (${shape.join(', ')},), }`;
  const header = Buffer.from(`${text.padEnd(117)}\n`);
  const start = Buffer.from([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, header.length, 0]);
  return Buffer.concat([start, header, Buffer.from(data.buffer, data.byteOffset, data.byteLength)]);
}

/** A safetensors file of bfloat16 tensors, whose values must be exact in bfloat16. */
export function bf16File(tensors: { readonly [name: string]: { shape: readonly number[]; data: Float32Array } }): Buffer {
  let offset = 0;
  const entries = Object.entries(tensors).map(([tensor, { shape, data }]) => {
    const offsets = [offset, offset + 2 * data.length];
    offset += 2 * data.length;
    return [tensor, { dtype: 'BF16', shape, data_offsets: offsets }];
  });
  const header = Buffer.from(JSON.stringify(Object.fromEntries(entries)));
  const size = Buffer.alloc(8);
  size.writeBigUInt64LE(BigInt(header.length));
  const halves = Object.values(tensors).map(({ data }) =>
    Buffer.from(Uint16Array.from(new Uint32Array(data.buffer), (bits) => bits >>> 16).buffer),
  );
  return Buffer.concat([size, header, ...halves]);
}

/** A GGUF header of strings, numbers and lists of strings, without tensors. */
export function ggufFile(values: { readonly [key: string]: string | number | readonly string[] }): Buffer {
  const u32 = (value: number) => Buffer.from(Uint32Array.of(value).buffer);
  const u64 = (value: number) => Buffer.from(BigUint64Array.of(BigInt(value)).buffer);
  const text = (value: string) => Buffer.concat([u64(Buffer.byteLength(value)), Buffer.from(value)]);
  const value = (item: string | number | readonly string[]): Buffer => {
    if (typeof item === 'string') return Buffer.concat([u32(8), text(item)]);
    if (typeof item === 'number') return Buffer.concat([u32(6), Buffer.from(Float32Array.of(item).buffer)]);
    return Buffer.concat([u32(9), u32(8), u64(item.length), ...item.map(text)]);
  };
  const entries = Object.entries(values);
  const parts = entries.flatMap(([key, item]) => [text(key), value(item)]);
  return Buffer.concat([Buffer.from('GGUF'), u32(3), u64(0), u64(entries.length), ...parts]);
}
