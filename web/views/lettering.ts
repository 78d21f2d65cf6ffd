// How wide words are. Views have no page to measure on, so this is an estimate of a system sans serif, a little on the
// wide side: labels may keep a pixel too much distance, and never touch.

const NARROW = /[ijlI1ftr.,:;'’`!|()[\]{}/\\ ]/;
const WIDE = /[mwMW@%—…]/;
const CAPITAL = /\p{Lu}/u;
const FULL = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\u{1f300}-\u{1faff}]/u;
const WIDTHLESS = /\p{M}|\p{Cf}/u;
const RAISED = /[⁰¹²³⁴⁵⁶⁷⁸⁹⁻]/;

/** How much wider a letter is in bold, in em; letters that fill a square stay as they are. */
const BOLDER = 0.1;

/** Font size of labels in px. */
export const LABEL = 11;

function measured(letter: string): number {
  if (WIDTHLESS.test(letter)) return 0;
  if (FULL.test(letter)) return 1.05;
  if (letter >= '0' && letter <= '9') return 0.6;
  if (RAISED.test(letter)) return 0.42;
  if (NARROW.test(letter)) return 0.36;
  if (WIDE.test(letter)) return 0.92;
  return CAPITAL.test(letter) ? 0.7 : 0.585;
}

/** A text is measured again with every picture, and has few letters. */
const widths = new Map<string, number>();

function emWidth(letter: string): number {
  const known = widths.get(letter);
  if (known !== undefined) return known;
  const width = measured(letter);
  widths.set(letter, width);
  return width;
}

/** Estimated width of a text in px at a font size in px. What may be drawn in bold is measured in bold. */
export function textWidth(text: string, size: number = LABEL, bold = false): number {
  let em = 0;
  for (const letter of text) {
    const width = emWidth(letter);
    em += bold && width > 0 && width < 1 ? width + BOLDER : width;
  }
  return em * size;
}

const graphemes = typeof Intl.Segmenter === 'function' ? new Intl.Segmenter('en', { granularity: 'grapheme' }) : undefined;

/** The letters of a text as a reader counts them; without Intl.Segmenter, characters with the accents that follow them. */
const lettersOf = (text: string): readonly string[] =>
  graphemes ? Array.from(graphemes.segment(text), ({ segment }) => segment) : (text.match(/\P{M}?\p{M}*/gu) ?? []);

/** The text, or as much of its beginning as fits in `room` px with an ellipsis. Never cuts inside a letter. */
export function shorten(text: string, room: number, size: number = LABEL, bold = false): string {
  if (textWidth(text, size, bold) <= room) return text;
  let kept = '';
  for (const letter of lettersOf(text)) {
    if (textWidth(`${kept}${letter}…`, size, bold) > room) break;
    kept += letter;
  }
  return `${kept.trimEnd()}…`;
}

/** The largest of the widths of some texts in px; 0 when there are none. */
export function widest(texts: readonly string[], size: number = LABEL, bold = false): number {
  return texts.reduce((most, text) => Math.max(most, textWidth(text, size, bold)), 0);
}
