// Parses NumPy's .npy files, versions 1 to 3 (numpy.lib.format): real numbers, in either byte order, in C or Fortran order.
import type { Tensor } from '../../engine/index.ts';
import { countElements, NUMBER_TYPES, type NumberType, readNumbers } from './number-types.ts';
import { FILE_STRINGS } from './strings.ts';

const MAGIC = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59];

/** Matches a key and its value in the header, which is a Python dictionary. Values are strings, lists, booleans or tuples. */
const ENTRY_PATTERN = /\s*(['"])(descr|fortran_order|shape)\1\s*:\s*('[^']*'|"[^"]*"|\[.*\]|True|False|\([^()]*\))\s*(,|(?=\}))/sy;

/** Returns the values of all three header keys as strings, or undefined if the header is invalid. */
function parseEntries(header: string): Readonly<Record<'descr' | 'fortran_order' | 'shape', string>> | undefined {
  const text = header.trim();
  if (!text.startsWith('{')) return undefined;
  const entries: Record<string, string> = {};
  ENTRY_PATTERN.lastIndex = 1;
  for (let entry = ENTRY_PATTERN.exec(text); entry; entry = ENTRY_PATTERN.exec(text)) {
    const [, , key = '', value = ''] = entry;
    if (Object.hasOwn(entries, key)) return undefined;
    entries[key] = value;
    if (/^\s*\}$/.test(text.slice(entry.index + entry[0].length))) {
      const { descr, fortran_order, shape } = entries;
      const isComplete = descr !== undefined && /^(True|False)$/.test(fortran_order ?? '') && shape?.startsWith('(');
      return isComplete ? { descr, fortran_order: fortran_order as string, shape: shape as string } : undefined;
    }
  }
  return undefined;
}
const SIZE_PATTERN = '(?:0+|[1-9]\\d*)L?';
/**
 * Matches a Python tuple without its parentheses. A tuple of one number ends with a comma. Python 2 wrote an L after
 * large integers.
 */
const TUPLE_PATTERN = new RegExp(`^\\s*(?:${SIZE_PATTERN}\\s*,\\s*(?:${SIZE_PATTERN}\\s*(?:,\\s*${SIZE_PATTERN}\\s*)*,?\\s*)?)?$`);
/** NumPy's limits on header length and number of axes. */
const [MAX_HEADER_LENGTH, MAX_AXES] = [10_000, 64];

function parseShape(name: string, tupleText: string): number[] {
  const shape = (tupleText.match(/\d+/g) ?? []).map(Number);
  if (!TUPLE_PATTERN.test(tupleText) || shape.length > MAX_AXES) throw new Error(FILE_STRINGS.shape(name, tupleText.trim()));
  return shape;
}

function toCOrder(data: Float32Array, shape: readonly number[]): Float32Array {
  const reorderedData = new Float32Array(data.length);
  const strides = shape.map((_, axis) => shape.slice(0, axis).reduce((product, side) => product * side, 1));
  const index = shape.map(() => 0);
  let sourceIndex = 0;
  for (let to = 0; to < data.length; to++) {
    reorderedData[to] = data[sourceIndex] as number;
    for (let axis = shape.length - 1; axis >= 0; axis--) {
      const stride = strides[axis] as number;
      sourceIndex += stride;
      index[axis] = (index[axis] as number) + 1;
      if (index[axis] !== shape[axis]) break;
      index[axis] = 0;
      sourceIndex -= stride * (shape[axis] as number);
    }
  }
  return reorderedData;
}

interface Header {
  /** NumPy's type string without the byte order, such as `f4`. */
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly isLittleEndian: boolean;
  readonly isFortran: boolean;
  readonly dataStart: number;
}

/** Parses the header of an .npy file. Throws an Error that names the file. */
export function readNpyHeader(name: string, bytes: Uint8Array): Header {
  if (bytes.length < 10 || MAGIC.some((byte, index) => bytes[index] !== byte)) throw new Error(FILE_STRINGS.notNumpy(name));
  const [major, minor] = [bytes[6] as number, bytes[7] as number];
  if (major < 1 || major > 3 || minor !== 0) throw new Error(FILE_STRINGS.version(name, `${major}.${minor}`));
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const headerStart = major === 1 ? 10 : 12;
  const length = bytes.length < headerStart ? Number.NaN : major === 1 ? view.getUint16(8, true) : view.getUint32(8, true);
  if (!(headerStart + length <= bytes.length && length <= MAX_HEADER_LENGTH)) throw new Error(FILE_STRINGS.header(name));
  // Valid headers are ASCII, although version 3 allows UTF-8.
  const header = parseEntries(new TextDecoder('latin1').decode(bytes.subarray(headerStart, headerStart + length)));
  if (!header) throw new Error(FILE_STRINGS.header(name));
  const { descr, fortran_order: order } = header;
  const tupleText = header.shape.slice(1, -1);
  if (descr.startsWith('[')) throw new Error(FILE_STRINGS.structured(name));
  const [, endian, dtype = ''] = /^['"]([<>|=]?)(\w+)['"]$/.exec(descr) ?? [];
  if (dtype === 'bf16' || !Object.hasOwn(NUMBER_TYPES, dtype)) throw new Error(FILE_STRINGS.dtype(name, descr.replaceAll(/['"]/g, '')));
  return {
    dtype,
    shape: parseShape(name, tupleText),
    isLittleEndian: endian !== '>',
    isFortran: order === 'True',
    dataStart: headerStart + length,
  };
}

/** Parses the array of an .npy file. Throws an Error that names the file. */
export function readNpy(name: string, bytes: Uint8Array): Tensor {
  const { dtype, shape, isLittleEndian, isFortran, dataStart } = readNpyHeader(name, bytes);
  const type = NUMBER_TYPES[dtype] as NumberType;
  const count = countElements(shape);
  const availableBytes = bytes.length - dataStart;
  const neededBytes = count === undefined ? Number.POSITIVE_INFINITY : count * type.size;
  if (availableBytes < neededBytes) throw new Error(FILE_STRINGS.truncated(name, availableBytes, neededBytes));
  if (availableBytes > neededBytes) throw new Error(FILE_STRINGS.tooLong(name, availableBytes, neededBytes));
  if (count === 0) throw new Error(FILE_STRINGS.noNumbers(name));
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const data = readNumbers(type, view, dataStart, count as number, isLittleEndian);
  return { shape, data: isFortran ? toCOrder(data, shape) : data };
}
