// Types of numbers in files, each read as the nearest float32.

export interface NumberType {
  readonly size: number;
  read(data: DataView, at: number, littleEndian: boolean): number;
}

function float16(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = (bits & 1023) / 1024;
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return sign * (exponent === 0 ? fraction * 2 ** -14 : (1 + fraction) * 2 ** (exponent - 15));
}

/**
 * The integer 2^32 high + low as a double that rounds to the nearest float32. A double represents integers below 2^53 exactly. A larger
 * integer would first be rounded to a multiple of 2^1 to 2^11, possibly to the midpoint of two float32 numbers. So its lowest 11 bits are
 * replaced by a single sticky bit, which cannot change a comparison with such a midpoint, a multiple of at least 2^29.
 */
function int64(high: number, low: number): number {
  if (high >= -(2 ** 21) && high < 2 ** 21) return high * 2 ** 32 + low;
  const remainder = low & 0x7ff;
  return high * 2 ** 32 + (remainder === 0 ? low : ((low | 0x800) >>> 0) - remainder);
}

const bits = new DataView(new ArrayBuffer(4));

/** The types by NumPy name, and bf16, which NumPy lacks. */
export const NUMBER_TYPES: { readonly [name: string]: NumberType } = {
  f2: { size: 2, read: (data, at, little) => float16(data.getUint16(at, little)) },
  f4: { size: 4, read: (data, at, little) => data.getFloat32(at, little) },
  f8: { size: 8, read: (data, at, little) => data.getFloat64(at, little) },
  i1: { size: 1, read: (data, at) => data.getInt8(at) },
  i2: { size: 2, read: (data, at, little) => data.getInt16(at, little) },
  i4: { size: 4, read: (data, at, little) => data.getInt32(at, little) },
  i8: {
    size: 8,
    read: (data, at, little) => int64(data.getInt32(at + (little ? 4 : 0), little), data.getUint32(at + (little ? 0 : 4), little)),
  },
  u1: { size: 1, read: (data, at) => data.getUint8(at) },
  u2: { size: 2, read: (data, at, little) => data.getUint16(at, little) },
  u4: { size: 4, read: (data, at, little) => data.getUint32(at, little) },
  u8: {
    size: 8,
    read: (data, at, little) => int64(data.getUint32(at + (little ? 4 : 0), little), data.getUint32(at + (little ? 0 : 4), little)),
  },
  b1: { size: 1, read: (data, at) => (data.getUint8(at) === 0 ? 0 : 1) },
  bf16: {
    size: 2,
    // bf16 is the upper half of a float32.
    read(data, at, little) {
      bits.setUint32(0, data.getUint16(at, little) << 16);
      return bits.getFloat32(0);
    },
  },
};

/** Reads `count` numbers, the first at byte `at`. */
export function readNumbers(type: NumberType, data: DataView, at: number, count: number, littleEndian = true): Float32Array {
  const numbers = new Float32Array(count);
  for (let index = 0; index < count; index++) numbers[index] = type.read(data, at + index * type.size, littleEndian);
  return numbers;
}

/** Number of elements of an array of this shape; undefined if it is too large for an exact integer. */
export function countOf(shape: readonly number[]): number | undefined {
  const count = shape.reduce((product, side) => product * side, 1);
  return Number.isSafeInteger(count * 8) ? count : undefined;
}
