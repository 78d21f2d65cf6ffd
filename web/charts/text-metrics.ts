// Estimates text widths in a system sans-serif font, because charts have no DOM to measure text. The estimates are upper bounds, so that labels do
// not overlap.

const NARROW_LETTER = /[ijlI1ftr.,:;'’`!|()[\]{}/\\ ]/;
const WIDE_LETTER = /[mwMW@%—…]/;
const CAPITAL_LETTER = /\p{Lu}/u;
const FULL_WIDTH = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\u{1f300}-\u{1faff}]/u;
const ZERO_WIDTH = /\p{M}|\p{Cf}/u;
const SUPERSCRIPT = /[⁰¹²³⁴⁵⁶⁷⁸⁹⁻]/;
/** Mathematical symbols. They are 0.84 em wide in every weight of DejaVu Sans, the widest common font. */
const MATH_SIGN = /\p{Sm}/u;

/** Additional width of a bold letter in em. Full-width letters have none. */
const BOLD_EXTRA_EM = 0.1;

export const LABEL_SIZE = 13;

function estimatedWidth(letter: string): number {
  if (ZERO_WIDTH.test(letter)) return 0;
  if (FULL_WIDTH.test(letter)) return 1.05;
  if (letter >= '0' && letter <= '9') return 0.6;
  if (SUPERSCRIPT.test(letter)) return 0.42;
  if (NARROW_LETTER.test(letter)) return 0.36;
  if (WIDE_LETTER.test(letter)) return 0.92;
  if (MATH_SIGN.test(letter)) return 0.85;
  return CAPITAL_LETTER.test(letter) ? 0.7 : 0.585;
}

/** Cached, because labels are measured again for every picture. */
const cachedWidths = new Map<string, number>();

function emWidth(letter: string): number {
  const cached = cachedWidths.get(letter);
  if (cached !== undefined) return cached;
  const width = estimatedWidth(letter);
  cachedWidths.set(letter, width);
  return width;
}

export function textWidth(text: string, size: number = LABEL_SIZE, bold = false): number {
  let em = 0;
  for (const letter of text) {
    const width = emWidth(letter);
    em += bold && width > 0 && width < 1 ? width + BOLD_EXTRA_EM : width;
  }
  return em * size;
}

/** Created on first use, because the browser loads locale data for it. */
let segmenter: Intl.Segmenter | undefined;

/** Splits text into graphemes. Without Intl.Segmenter, a grapheme is a character with its combining marks. */
function splitGraphemes(text: string): readonly string[] {
  if (typeof Intl.Segmenter !== 'function') return text.match(/\P{M}?\p{M}*/gu) ?? [];
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/** Truncates text wider than `room` px at a grapheme boundary and appends an ellipsis. */
export function shorten(text: string, room: number, size: number = LABEL_SIZE, bold = false): string {
  if (textWidth(text, size, bold) <= room) return text;
  let prefix = '';
  for (const letter of splitGraphemes(text)) {
    if (textWidth(`${prefix}${letter}…`, size, bold) > room) break;
    prefix += letter;
  }
  return `${prefix.trimEnd()}…`;
}

/** Returns the width of the widest string in px, or 0 for an empty array. */
export function maxTextWidth(texts: readonly string[], size: number = LABEL_SIZE, bold = false): number {
  return texts.reduce((widest, text) => Math.max(widest, textWidth(text, size, bold)), 0);
}
