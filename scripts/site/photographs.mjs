// `node scripts/site/photographs.mjs`: writes public/data/photographs.json, the pictures of figures about patches, from the two PNG files beside it, so
// that browsers and Node see the same pixels and neither needs a decoder. Each side is halved (the mean of 2 x 2 pixels) and each value rounded to
// 64 shades, one letter of base64: then both pictures together are some 13 kB after gzip, where all of their pixels would be 50. A test compares
// the file with what is made here.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';

const DATA = join(import.meta.dirname, '../../public/data');
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const SHADES = 64;
const SIDE = 64;

/** The bytes of a PNG file of 8 bits a channel, RGB, not interlaced: all that the two files are. */
function decode(file) {
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
      if (data[8] !== 8 || data[9] !== 2 || data[12] !== 0) throw new Error('only 8-bit RGB without interlacing is decoded');
    }
    if (type === 'IDAT') parts.push(data);
    at += size + 12;
  }
  const filtered = inflateSync(Buffer.concat(parts));
  const stride = 3 * width;
  const pixels = new Uint8Array(height * stride);
  for (let row = 0; row < height; row++) {
    const filter = filtered[row * (stride + 1)];
    for (let at = 0; at < stride; at++) {
      const place = row * stride + at;
      const left = at >= 3 ? pixels[place - 3] : 0;
      const above = row > 0 ? pixels[place - stride] : 0;
      const corner = at >= 3 && row > 0 ? pixels[place - stride - 3] : 0;
      pixels[place] = filtered[row * (stride + 1) + 1 + at] + predicted(filter, left, above, corner);
    }
  }
  return { width, height, pixels };
}

/** PNG (W3C, third edition), section 9.2. */
function predicted(filter, left, above, corner) {
  if (filter === 0) return 0;
  if (filter === 1) return left;
  if (filter === 2) return above;
  if (filter === 3) return (left + above) >> 1;
  const guess = left + above - corner;
  const [a, b, c] = [left, above, corner].map((one) => Math.abs(guess - one));
  if (a <= b && a <= c) return left;
  return b <= c ? above : corner;
}

/** Half as wide and high: [SIDE, SIDE, 3] shades from 0 to 63, each minus the one left of it (modulo 64), which gzip packs better. */
function shades(name) {
  const { width, height, pixels } = decode(readFileSync(join(DATA, name)));
  if (width !== 2 * SIDE || height !== 2 * SIDE) throw new Error(`${name} is not ${2 * SIDE} pixels wide and high`);
  let text = '';
  for (let row = 0; row < SIDE; row++) {
    const before = [0, 0, 0];
    for (let column = 0; column < SIDE; column++) {
      for (let channel = 0; channel < 3; channel++) {
        const at = (down, across) => pixels[((2 * row + down) * width + 2 * column + across) * 3 + channel];
        const shade = Math.round((((at(0, 0) + at(0, 1) + at(1, 0) + at(1, 1)) / 4) * (SHADES - 1)) / 255);
        text += LETTERS[(shade - before[channel] + SHADES) % SHADES];
        before[channel] = shade;
      }
    }
  }
  return text;
}

/** The text of the file. */
export const photographs = () => `${JSON.stringify({ astronaut: shades('astronaut-128.png'), camera: shades('camera-128.png') })}\n`;

if (process.argv[1] === import.meta.filename) writeFileSync(join(DATA, 'photographs.json'), photographs());
