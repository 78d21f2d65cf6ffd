// The preview image that social networks show for a chapter: its title and one of its figures, 1200 x 630 pixels.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import subsetFont from 'subset-font';
import { readColors } from '../palette.mjs';
import { root } from '../root.mjs';
import { chapterName } from './chapter-name.mjs';
import { diskCache } from './disk-cache.mjs';
import { escaped } from './plain-text.mjs';
import { pngOfSvg } from './raster.mjs';

const FONT = join(root, 'node_modules/@fontsource-variable/source-serif-4/files/source-serif-4-latin-wght-normal.woff2');
const [WIDTH, HEIGHT] = [1200, 630];
const {
  ground: GROUND,
  tones: { ink: INK, accent: ACCENT },
} = readColors().light;

/** @type {Promise<Buffer> | undefined} */
let loadingFont;
/** The text font as TrueType, the only format that the renderer accepts. */
function readingFont() {
  const letters = String.fromCharCode(...Array.from({ length: 0x17f - 0x20 }, (_, at) => 0x20 + at));
  loadingFont ??= subsetFont(readFileSync(FONT), `${letters}–—‘’“”…−×·→⁰¹²³⁴⁵⁶⁷⁸⁹⁻`, {
    targetFormat: 'sfnt',
    variationAxes: { wght: 500 },
  });
  return loadingFont;
}

/** Wraps words to lines of at most `most` characters. @param {string} text @param {number} most */
function wrapped(text, most) {
  const lines = [];
  let last = '';
  for (const word of text.split(' ')) {
    const longer = `${last} ${word}`;
    if (last !== '' && longer.length > most) lines.push(last);
    last = last !== '' && longer.length > most ? word : longer.trim();
  }
  return [...lines, last];
}

/** @typedef {{ number: string, short: string, title: string, picture: string | undefined }} Card `picture`: an SVG element */

/** @param {Card} card */
function cardSvg({ number, short, title, picture }) {
  const lines = wrapped(title, 40);
  const text = lines
    .map((line, index) => `<text x="60" y="${136 + index * 62}" font-size="52" fill="${INK}">${escaped(line)}</text>`)
    .join('');
  const top = 136 + lines.length * 62;
  const [, width = '1', height = '1'] = /^<svg[^>]* width="([\d.]+)" height="([\d.]+)"/.exec(picture ?? '') ?? [];
  const scale = Math.min((WIDTH - 120) / Number(width), (HEIGHT - top - 40) / Number(height));
  const figure = picture
    ? `<g transform="translate(60 ${top}) scale(${scale})">${picture.replaceAll(/font-family="[^"]*"/g, '').replace('<svg', '<svg overflow="visible"')}</g>`
    : '';
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" font-family="Source Serif 4"><rect width="${WIDTH}" height="${HEIGHT}" fill="${GROUND}"/><text x="60" y="62" font-size="24" fill="${ACCENT}">Phasor: position in transformers, ${escaped(chapterName({ number, short }).toLowerCase())}</text>${text}${figure}</svg>`;
}

/** The card of the whole site: its title beside a square picture. @param {string} title @param {string} picture */
function siteCardSvg(title, picture) {
  const lines = wrapped(title, 18);
  const text = lines
    .map((line, index) => `<text x="60" y="${230 + index * 68}" font-size="58" fill="${INK}">${escaped(line)}</text>`)
    .join('');
  const side = 470;
  const square = `<g transform="translate(${WIDTH - side - 60} ${(HEIGHT - side) / 2}) scale(${side / 400})">${picture}</g>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" font-family="Source Serif 4"><rect width="${WIDTH}" height="${HEIGHT}" fill="${GROUND}"/><text x="60" y="120" font-size="30" fill="${ACCENT}">Phasor</text>${text}${square}</svg>`;
}

/** @param {string} svg @returns {Promise<Buffer>} a PNG file */
function cardOf(svg) {
  const keep = diskCache('cards', 'card 1');
  return keep(
    svg,
    async () => {
      const font = { fontBuffers: [await readingFont()], defaultFontFamily: 'Source Serif 4', loadSystemFonts: false };
      return pngOfSvg(svg, { font });
    },
    { encode: (bytes) => bytes, decode: (bytes) => bytes },
  );
}

/** @param {Card} card */
export const socialCard = (card) => cardOf(cardSvg(card));

/** @param {string} title @param {string} picture 400 x 400, as SVG */
export const siteCard = (title, picture) => cardOf(siteCardSvg(title.replace(/^\w+: /, ''), picture));
