// Writes zip archives with Node's zlib, for Python wheels. No ZIP64 and no encryption; the date is fixed, so that equal files give equal bytes.
import { crc32, deflateRawSync } from 'node:zlib';

/** 1 January 1980, the first date of the format. */
const DATE = (1 << 5) | 1;
const VERSION = 20;
const DEFLATED = 8;
const UTF8 = 0x800;
/** A regular file, -rw-r--r--. */
const MODE = (0o100644 << 16) >>> 0;
const UNIX = 3;

/** Packs numbers as little-endian bytes. @param {...(readonly [value: number, bytes: 2 | 4])} fields */
function packed(...fields) {
  const bytes = Buffer.alloc(fields.reduce((size, [, length]) => size + length, 0));
  let at = 0;
  for (const [value, length] of fields) at = bytes.writeUIntLE(value, at, length);
  return bytes;
}

/** The bytes of an archive. @param {readonly (readonly [name: string, content: Uint8Array])[]} files */
export function zipOf(files) {
  /** @type {Buffer[]} */
  const locals = [];
  /** @type {Buffer[]} */
  const entries = [];
  let offset = 0;
  for (const [name, content] of files) {
    const title = Buffer.from(name);
    const data = deflateRawSync(content, { level: 9 });
    /** @type {(readonly [number, 2 | 4])[]} */
    const shared = [
      ...[VERSION, UTF8, DEFLATED, 0, DATE].map((value) => /** @type {const} */ ([value, 2])),
      ...[crc32(content), data.length, content.length].map((value) => /** @type {const} */ ([value, 4])),
      [title.length, 2],
      [0, 2],
    ];
    const local = Buffer.concat([packed([0x04034b50, 4], ...shared), title, data]);
    // Without comment, on the first disk, binary.
    entries.push(packed([0x02014b50, 4], [(UNIX << 8) | VERSION, 2], ...shared, [0, 2], [0, 2], [0, 2], [MODE, 4], [offset, 4]), title);
    locals.push(local);
    offset += local.length;
  }
  const directory = Buffer.concat(entries);
  const count = files.length;
  const end = packed([0x06054b50, 4], [0, 2], [0, 2], [count, 2], [count, 2], [directory.length, 4], [offset, 4], [0, 2]);
  return Buffer.concat([...locals, directory, end]);
}
