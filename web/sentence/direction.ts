// Detects right-to-left text, such as Hebrew and Arabic.

/**
 * Matches a token in a right-to-left script, from Hebrew to Arabic Extended, including presentation forms. A token may begin with a
 * space.
 */
const RIGHT_TO_LEFT = /^\s*[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/**
 * Prepares a word that precedes a number in left-to-right text. A right-to-left word is enclosed in isolate marks, because the number would
 * otherwise be displayed on the other side of the word.
 */
export const isolate = (word: string): string => (RIGHT_TO_LEFT.test(word) ? `\u2068${word}\u2069` : word);

/** Whether more words are right-to-left than left-to-right. Punctuation and digits are neutral. */
export function isRightToLeft(words: readonly string[]): boolean {
  const letters = words.filter((word) => /^\p{L}/u.test(word));
  return 2 * letters.filter((word) => RIGHT_TO_LEFT.test(word)).length > letters.length;
}
