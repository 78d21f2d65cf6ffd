// Number formats in files. Each value is read as the nearest float32.

export interface NumberType {
  readonly size: number;
  read(data: DataView, at: number, isLittleEndian: boolean): number;
}

function decodeFloat16(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = (bits & 1023) / 1024;
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return sign * (exponent === 0 ? fraction * 2 ** -14 : (1 + fraction) * 2 ** (exponent - 15));
}

/**
 * Converts the 64-bit integer 2^32 * high + low to a double that rounds to the nearest float32. Below 2^53 the double
 * is exact. In larger integers, a sticky bit replaces the lowest 11 bits to avoid double rounding, which could otherwise
 * produce the midpoint between two float32 values.
 */
function doubleFromInt64(high: number, low: number): number {
  if (high >= -(2 ** 21) && high < 2 ** 21) return high * 2 ** 32 + low;
  const remainder = low & 0x7ff;
  return high * 2 ** 32 + (remainder === 0 ? low : ((low | 0x800) >>> 0) - remainder);
}

const bits = new DataView(new ArrayBuffer(4));

/** Number formats by NumPy type string without the byte order, plus bf16, which NumPy does not have. */
export const NUMBER_TYPES: { readonly [name: string]: NumberType } = {
  f2: { size: 2, read: (data, at, isLittleEndian) => decodeFloat16(data.getUint16(at, isLittleEndian)) },
  f4: { size: 4, read: (data, at, isLittleEndian) => data.getFloat32(at, isLittleEndian) },
  f8: { size: 8, read: (data, at, isLittleEndian) => data.getFloat64(at, isLittleEndian) },
  i1: { size: 1, read: (data, at) => data.getInt8(at) },
  i2: { size: 2, read: (data, at, isLittleEndian) => data.getInt16(at, isLittleEndian) },
  i4: { size: 4, read: (data, at, isLittleEndian) => data.getInt32(at, isLittleEndian) },
  i8: {
    size: 8,
    read: (data, at, isLittleEndian) =>
      doubleFromInt64(
        data.getInt32(at + (isLittleEndian ? 4 : 0), isLittleEndian),
        data.getUint32(at + (isLittleEndian ? 0 : 4), isLittleEndian),
      ),
  },
  u1: { size: 1, read: (data, at) => data.getUint8(at) },
  u2: { size: 2, read: (data, at, isLittleEndian) => data.getUint16(at, isLittleEndian) },
  u4: { size: 4, read: (data, at, isLittleEndian) => data.getUint32(at, isLittleEndian) },
  u8: {
    size: 8,
    read: (data, at, isLittleEndian) =>
      doubleFromInt64(
        data.getUint32(at + (isLittleEndian ? 4 : 0), isLittleEndian),
        data.getUint32(at + (isLittleEndian ? 0 : 4), isLittleEndian),
      ),
  },
  b1: { size: 1, read: (data, at) => (data.getUint8(at) === 0 ? 0 : 1) },
  bf16: {
    size: 2,
    // bf16 is the upper half of a float32.
    read(data, at, isLittleEndian) {
      bits.setUint32(0, data.getUint16(at, isLittleEndian) << 16);
      return bits.getFloat32(0);
    },
  },
};

/** Reads `count` numbers, starting at byte `at`. */
export function readNumbers(type: NumberType, data: DataView, at: number, count: number, isLittleEndian = true): Float32Array {
  const numbers = new Float32Array(count);
  for (let index = 0; index < count; index++) numbers[index] = type.read(data, at + index * type.size, isLittleEndian);
  return numbers;
}

/**
 * Returns the number of elements of an array of this shape, or undefined if the size in bytes, at 8 bytes per element,
 * is not a safe integer.
 */
export function countElements(shape: readonly number[]): number | undefined {
  const count = shape.reduce((product, side) => product * side, 1);
  return Number.isSafeInteger(count * 8) ? count : undefined;
}
