// Parses the header of a GGUF file (versions 2 and 3, little-endian): its metadata and tensor names. Weights are not read.

/** Thrown if the bytes end within the header, so that more of the file must be read. */
export class TruncatedHeaderError extends Error {}

export interface GgufHeader {
  /** Metadata by key. An array of strings, such as the vocabulary, is replaced by its length. */
  readonly metadata: { readonly [key: string]: unknown };
  readonly tensors: readonly string[];
}

const MAGIC = 0x46554747;
/** Maximum length of a list. A longer one indicates a damaged file. */
const MAX_LIST_LENGTH = 2 ** 24;
const STRING_TYPE = 8;
const LIST_TYPE = 9;
/** Size in bytes and read function of each scalar GGUF type, indexed by type number. */
const SCALAR_TYPES: readonly (readonly [number, (view: DataView, at: number) => number | boolean] | undefined)[] = [
  [1, (view, at) => view.getUint8(at)],
  [1, (view, at) => view.getInt8(at)],
  [2, (view, at) => view.getUint16(at, true)],
  [2, (view, at) => view.getInt16(at, true)],
  [4, (view, at) => view.getUint32(at, true)],
  [4, (view, at) => view.getInt32(at, true)],
  [4, (view, at) => view.getFloat32(at, true)],
  [1, (view, at) => view.getUint8(at) !== 0],
  undefined,
  undefined,
  [8, (view, at) => Number(view.getBigUint64(at, true))],
  [8, (view, at) => Number(view.getBigInt64(at, true))],
  [8, (view, at) => view.getFloat64(at, true)],
];

class Reader {
  private offset = 0;
  private readonly view: DataView;

  constructor(
    private readonly name: string,
    private readonly bytes: Uint8Array,
  ) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  fail(why: string): Error {
    return new Error(`${this.name} is not a readable GGUF file (${why})`);
  }

  private take(size: number): number {
    const start = this.offset;
    if (start + size > this.bytes.length)
      throw new TruncatedHeaderError(`${this.name} ends inside its header, after ${this.bytes.length} bytes`);
    this.offset += size;
    return start;
  }

  u32(): number {
    return this.view.getUint32(this.take(4), true);
  }

  readCount(): number {
    const count = this.view.getBigUint64(this.take(8), true);
    if (count > MAX_LIST_LENGTH) throw this.fail(`the length ${count} at byte ${this.offset - 8} is too large`);
    return Number(count);
  }

  text(): string {
    const size = this.readCount();
    const start = this.take(size);
    return new TextDecoder().decode(this.bytes.subarray(start, start + size));
  }

  skip(size: number): void {
    this.take(size);
  }

  value(type: number): unknown {
    if (type === STRING_TYPE) return this.text();
    if (type === LIST_TYPE) return this.list();
    const [size, read] = SCALAR_TYPES[type] ?? [0, undefined];
    if (!read) throw this.fail(`a value has the unknown type ${type}`);
    return read(this.view, this.take(size));
  }

  private list(): unknown {
    const [type, count] = [this.u32(), this.readCount()];
    if (type === LIST_TYPE) throw this.fail('it contains nested arrays');
    if (type !== STRING_TYPE) return Array.from({ length: count }, () => this.value(type));
    for (let entry = 0; entry < count; entry++) this.skip(this.readCount());
    return count;
  }
}

/** Throws TruncatedHeaderError if more bytes are needed, and an Error that names the file if the format is invalid. */
export function readGgufHeader(name: string, bytes: Uint8Array): GgufHeader {
  const reader = new Reader(name, bytes);
  if (reader.u32() !== MAGIC) throw reader.fail('it does not begin with GGUF');
  const version = reader.u32();
  if (version !== 2 && version !== 3) throw reader.fail(`version ${version}; expected 2 or 3`);
  const [tensorCount, valueCount] = [reader.readCount(), reader.readCount()];
  const metadata = Object.create(null) as { [key: string]: unknown };
  for (let at = 0; at < valueCount; at++) {
    const key = reader.text();
    metadata[key] = reader.value(reader.u32());
  }
  const tensors: string[] = [];
  for (let at = 0; at < tensorCount; at++) {
    tensors.push(reader.text());
    const axisCount = reader.u32();
    if (axisCount > 8) throw reader.fail(`a tensor has ${axisCount} axes; expected at most 8`);
    // Skips the tensor's dimensions, type and offset.
    reader.skip(8 * axisCount + 4 + 8);
  }
  return { metadata, tensors };
}
