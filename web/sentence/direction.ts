// Which way a sentence runs: words of Hebrew, Arabic and the like run from right to left.

/** The blocks of right-to-left scripts, from Hebrew to Arabic Extended, and their presentation forms. */
const RIGHT_TO_LEFT = /^[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/** Whether more words run from right to left than from left to right. Punctuation and digits run either way. */
export function isRightToLeft(words: readonly string[]): boolean {
  const letters = words.filter((word) => /^\p{L}/u.test(word));
  return 2 * letters.filter((word) => RIGHT_TO_LEFT.test(word)).length > letters.length;
}
