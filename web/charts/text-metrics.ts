// Estimates of text widths for a system sans-serif font. Charts have no DOM to measure text with. Estimates are never too narrow, so that labels do
// not overlap.

const NARROW = /[ijlI1ftr.,:;'’`!|()[\]{}/\\ ]/;
const WIDE = /[mwMW@%—…]/;
const CAPITAL = /\p{Lu}/u;
const FULL = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\u{1f300}-\u{1faff}]/u;
const WIDTHLESS = /\p{M}|\p{Cf}/u;
const RAISED = /[⁰¹²³⁴⁵⁶⁷⁸⁹⁻]/;
/** '−', '×', '→': 0.84 em in DejaVu Sans, the widest of the common fonts, in all weights. */
const SIGN = /\p{Sm}/u;

/** Additional width of bold letters in em; full-width letters get no wider. */
const BOLDER = 0.1;

/** Font size of labels in px. */
export const LABEL = 13;

function measured(letter: string): number {
  if (WIDTHLESS.test(letter)) return 0;
  if (FULL.test(letter)) return 1.05;
  if (letter >= '0' && letter <= '9') return 0.6;
  if (RAISED.test(letter)) return 0.42;
  if (NARROW.test(letter)) return 0.36;
  if (WIDE.test(letter)) return 0.92;
  if (SIGN.test(letter)) return 0.85;
  return CAPITAL.test(letter) ? 0.7 : 0.585;
}

/** Widths of letters, cached because texts are measured again for every picture. */
const widths = new Map<string, number>();

function emWidth(letter: string): number {
  const cached = widths.get(letter);
  if (cached !== undefined) return cached;
  const width = measured(letter);
  widths.set(letter, width);
  return width;
}

/** Estimated width of a text in px at a font size in px. */
export function textWidth(text: string, size: number = LABEL, bold = false): number {
  let em = 0;
  for (const letter of text) {
    const width = emWidth(letter);
    em += bold && width > 0 && width < 1 ? width + BOLDER : width;
  }
  return em * size;
}

/** The segmenter, created on first use because it makes the browser load locale data. */
let graphemes: Intl.Segmenter | undefined;

/** The graphemes of a text; without Intl.Segmenter, characters with their combining marks. */
function lettersOf(text: string): readonly string[] {
  if (typeof Intl.Segmenter !== 'function') return text.match(/\P{M}?\p{M}*/gu) ?? [];
  graphemes ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return Array.from(graphemes.segment(text), ({ segment }) => segment);
}

/** Truncates a text with an ellipsis to fit in `room` px, at a grapheme boundary. */
export function shorten(text: string, room: number, size: number = LABEL, bold = false): string {
  if (textWidth(text, size, bold) <= room) return text;
  let stored = '';
  for (const letter of lettersOf(text)) {
    if (textWidth(`${stored}${letter}…`, size, bold) > room) break;
    stored += letter;
  }
  return `${stored.trimEnd()}…`;
}

/** The maximum width of several texts in px; 0 if there are none. */
export function widest(texts: readonly string[], size: number = LABEL, bold = false): number {
  return texts.reduce((most, text) => Math.max(most, textWidth(text, size, bold)), 0);
}
