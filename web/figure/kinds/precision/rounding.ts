// The number formats of models, with rounding to nearest, ties to even.

const bits = new DataView(new ArrayBuffer(4));

/** The bfloat16 nearest to a number: the upper 16 bits of a float32. */
export function bfloat16(value: number): number {
  bits.setFloat32(0, value);
  const word = bits.getUint32(0);
  bits.setUint32(0, (word + 0x7fff + ((word >>> 16) & 1)) & 0xffff0000);
  return bits.getFloat32(0);
}
