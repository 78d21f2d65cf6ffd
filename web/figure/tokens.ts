// A sentence as tokens: its words in any script, each punctuation mark, each emoji. Spaces are not tokens.

/** The most tokens the page takes. */
export const TOKEN_LIMIT = 512;

// Where there is no Intl.Segmenter: words with their apostrophes, numbers, whole emoji, and any other visible character.
const FALLBACK =
  /[\p{L}\p{M}]+(?:['’][\p{L}\p{M}]+)*|\p{N}+(?:[.,]\p{N}+)*|\p{RI}{2}|\p{Extended_Pictographic}(?:\p{EMod}|\ufe0f)*(?:\u200d\p{Extended_Pictographic}(?:\p{EMod}|\ufe0f)*)*|[^\s]/gu;

// Not the reader's own locale: where words end differs between some, and the order in a link counts the words of another reader.
const LOCALE = 'en';
const segmenter = typeof Intl.Segmenter === 'function' ? new Intl.Segmenter(LOCALE, { granularity: 'word' }) : undefined;

const visible = (text: string): boolean => !/^[\s\p{Cc}\p{Cf}\p{Z}]*$/u.test(text);

let last: { readonly text: string; readonly tokens: readonly string[] } | undefined;

/** The tokens of a text, in order; the same text again is not taken apart again. */
export function tokenize(text: string): readonly string[] {
  if (last?.text === text) return last.tokens;
  const tokens = segmenter ? Array.from(segmenter.segment(text), ({ segment }) => segment.trim()) : (text.match(FALLBACK) ?? []);
  last = { text, tokens: tokens.filter(visible) };
  return last.tokens;
}

/** What is wrong with a text as a sentence for its writer; undefined when it can be used. */
export function textProblem(text: string): string | undefined {
  const count = tokenize(text).length;
  if (count === 0) return 'There are no words yet. The last sentence stays until you type some.';
  if (count > TOKEN_LIMIT)
    return `This text has ${count.toLocaleString('en')} words and marks; at most ${TOKEN_LIMIT} can be shown. The last sentence stays.`;
  return undefined;
}
