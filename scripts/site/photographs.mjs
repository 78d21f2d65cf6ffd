// `node scripts/site/photographs.mjs`: writes public/data/photographs.json, the images of figures about patches, from the two PNG files beside it,
// so that browsers and Node have the same pixels without a decoder. Each side is halved (the mean of 2 x 2 pixels) and each value rounded to 64
// shades, one base64 character each. This takes 13 kB after gzip instead of 50 kB. A test compares the file with the output of this script.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { decode } from './png.mjs';

const DATA = join(import.meta.dirname, '../../public/data');
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const SHADES = 64;
const SIDE = 64;
const CHANNELS = /** @type {const} */ ([0, 1, 2]);

/**
 * A photograph at half its size: [SIDE, SIDE, 3] shades from 0 to 63, each as the difference from its left neighbour (modulo 64), which gzip
 * compresses better.
 * @param {string} name
 */
function shades(name) {
  const { width, height, pixels } = decode(readFileSync(join(DATA, name)));
  if (width !== 2 * SIDE || height !== 2 * SIDE) throw new Error(`${name} is not ${2 * SIDE} pixels wide and high`);
  let text = '';
  for (let row = 0; row < SIDE; row++) {
    /** @type {[number, number, number]} */
    const before = [0, 0, 0];
    for (let column = 0; column < SIDE; column++) {
      for (const channel of CHANNELS) {
        /** @param {number} down @param {number} across */
        const at = (down, across) => pixels[((2 * row + down) * width + 2 * column + across) * 3 + channel] ?? 0;
        const shade = Math.round((((at(0, 0) + at(0, 1) + at(1, 0) + at(1, 1)) / 4) * (SHADES - 1)) / 255);
        text += LETTERS[(shade - before[channel] + SHADES) % SHADES];
        before[channel] = shade;
      }
    }
  }
  return text;
}

export const photographs = () => `${JSON.stringify({ astronaut: shades('astronaut-128.png'), camera: shades('camera-128.png') })}\n`;

if (process.argv[1] === import.meta.filename) writeFileSync(join(DATA, 'photographs.json'), photographs());
