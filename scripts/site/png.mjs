// Reads the PNG files of public/data.
import { inflateSync } from 'node:zlib';

/** Decodes a PNG file with 8-bit RGB and without interlacing, the format of these files. @param {Buffer} file */
export function decode(file) {
  /** @type {Buffer[]} */
  const parts = [];
  let width = 0;
  let height = 0;
  for (let at = 8; at < file.length; ) {
    const size = file.readUInt32BE(at);
    const type = file.toString('latin1', at + 4, at + 8);
    const data = file.subarray(at + 8, at + 8 + size);
    if (type === 'IHDR') {
      width = data.readUInt32BE(0);
      height = data.readUInt32BE(4);
      if (data[8] !== 8 || data[9] !== 2 || data[12] !== 0) throw new Error('PNG: only 8-bit RGB without interlacing is supported');
    }
    if (type === 'IDAT') parts.push(data);
    at += size + 12;
  }
  const filtered = inflateSync(Buffer.concat(parts));
  const stride = 3 * width;
  const pixels = new Uint8Array(height * stride);
  for (let row = 0; row < height; row++) {
    const filter = filtered[row * (stride + 1)] ?? 0;
    for (let at = 0; at < stride; at++) {
      const position = row * stride + at;
      const left = (at >= 3 && pixels[position - 3]) || 0;
      const above = (row > 0 && pixels[position - stride]) || 0;
      const corner = (at >= 3 && row > 0 && pixels[position - stride - 3]) || 0;
      pixels[position] = (filtered[row * (stride + 1) + 1 + at] ?? 0) + predicted(filter, left, above, corner);
    }
  }
  return { width, height, pixels };
}

/**
 * The prediction of a filter: PNG (W3C, third edition), section 9.2.
 * @param {number} filter
 * @param {number} left
 * @param {number} above
 * @param {number} corner
 */
function predicted(filter, left, above, corner) {
  if (filter === 0) return 0;
  if (filter === 1) return left;
  if (filter === 2) return above;
  if (filter === 3) return (left + above) >> 1;
  const guess = left + above - corner;
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - above), Math.abs(guess - corner)];
  if (a <= b && a <= c) return left;
  return b <= c ? above : corner;
}
