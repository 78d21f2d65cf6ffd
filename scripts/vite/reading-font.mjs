// The reading font of the site: the letters and weights that the page is written with, out of a font of all weights. The rest is fetched only
// by a page that has other letters (unicode-range).
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import subsetFont from 'subset-font';

const root = join(import.meta.dirname, '../..');
const source = join(root, 'node_modules/@fontsource-variable/source-serif-4/files/source-serif-4-latin-wght-normal.woff2');
const made = join(root, 'build/fonts/source-serif-4-basic.woff2');

/** ASCII, and the signs of typography and of formulas that texts of the page have; the style sheet says the same ranges. */
const LETTERS = String.fromCharCode(...Array.from({ length: 0x7f - 0x20 }, (_, at) => 0x20 + at));
const SIGNS = '–—‘’“”…−×·→←↑↓';

export const readingFont = () => ({
  name: 'phasor-reading-font',
  async buildStart() {
    if (existsSync(made) && statSync(made).mtimeMs > Math.max(statSync(source).mtimeMs, statSync(import.meta.filename).mtimeMs)) return;
    mkdirSync(dirname(made), { recursive: true });
    const weights = { wght: { min: 400, max: 600 } };
    writeFileSync(made, await subsetFont(readFileSync(source), LETTERS + SIGNS, { targetFormat: 'woff2', variationAxes: weights }));
  },
});
