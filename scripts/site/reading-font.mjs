// Subsets the fonts of the site to the characters and weights that its pages use. Only pages with other characters fetch the rest of the reading font
// and of the math font (unicode-range). The book also uses italics and formulas.
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import subsetFont from 'subset-font';
import { root } from '../root.mjs';

const fonts = join(root, 'build/fonts');
const serif = join(root, 'node_modules/@fontsource-variable/source-serif-4/files/source-serif-4-latin-wght');
const math = join(root, 'node_modules/@fontsource/stix-two-math/files/stix-two-math-latin-400-normal.woff2');

/** @param {number} from @param {number} to */
const range = (from, to) => String.fromCodePoint(...Array.from({ length: to - from + 1 }, (_, at) => from + at));
/** ASCII, and the typographic and mathematical characters in texts of the pages; the style sheet has the same ranges. */
const LETTERS = `${range(0x20, 0x7e)}–—‘’“”…−×·→←↑↓`;
/**
 * The characters of formulas in the book: names upright, variables italic, operators, brackets, accents; the style sheet has the same ranges. Greek
 * variables are also included upright: Chromium selects the file by the character in the source, before it becomes italic.
 */
const FORMULAS = [
  ...[range(0x20, 0x7e), range(0x3b1, 0x3c9), 'ϕϵϑ', range(0x1d434, 0x1d467), 'ℎ', range(0x1d6fc, 0x1d71b), 'ℓℝ𝒩𝟏'],
  ...['−×±·⋅⊕⊗⊙⨁∑∂√∞≈≠≤≥∼∈→⟶⟹', '‖⌊⌋⊤', '′‾…⋯⋮⋱⏟', '\u2061\u2062\u2063\u2064\u00a0'],
].join('');
/** Further characters of formulas: Greek capitals, bold, script and double-struck letters, further operators. */
const MORE_FORMULAS = [
  ...[range(0x391, 0x3a9).replace('\u03a2', ''), range(0x1d400, 0x1d433), range(0x1d6e2, 0x1d6fa), 'ℕℤℂ𝟙𝒪ℒ𝔼'],
  ...['÷∗∘∏∫≪≫≡∝∉⊂⊆∪∩∅∇∀∃∧∨¬←↦⇒⇔⟵↔', '⟨⟩⌈⌉∣∥', '″', 'ˆ˜¯˙¨⃗︷︸⏞', '\u2009\u200b'],
].join('');

/**
 * The OpenType features of these pages: the defaults, and tabular lining figures. Small capitals, fractions and other alternative glyphs would
 * be a sixth of the file.
 */
const keepFeatures = ['calt', 'ccmp', 'clig', 'kern', 'liga', 'lnum', 'locl', 'mark', 'mkmk', 'rclt', 'rlig', 'rvrn', 'tnum'];
const WEIGHTS = { keepFeatures, variationAxes: { wght: { min: 400, max: 600 } } };
/** Italics are never bold. */
const REGULAR = { keepFeatures, variationAxes: { wght: 400 } };
export const MADE = [
  { name: 'source-serif-4-basic', source: `${serif}-normal.woff2`, letters: LETTERS, options: WEIGHTS },
  { name: 'source-serif-4-italic', source: `${serif}-italic.woff2`, letters: LETTERS, options: REGULAR },
  { name: 'stix-two-math', source: math, letters: FORMULAS, options: {} },
  { name: 'stix-two-math-more', source: math, letters: MORE_FORMULAS, options: {} },
];

/** @returns {import('vite').Plugin} */
export const readingFont = () => ({
  name: 'phasor-reading-font',
  async buildStart() {
    mkdirSync(fonts, { recursive: true });
    for (const { name, source, letters, options } of MADE) {
      const path = join(fonts, `${name}.woff2`);
      if (existsSync(path) && statSync(path).mtimeMs > Math.max(statSync(source).mtimeMs, statSync(import.meta.filename).mtimeMs)) continue;
      writeFileSync(path, await subsetFont(readFileSync(source), letters, { targetFormat: 'woff2', ...options }));
    }
  },
});
