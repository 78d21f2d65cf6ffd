// Splits a sentence into tokens, which are words in any script, punctuation marks and emoji. Spaces are not tokens.

/** Maximum number of tokens in a sentence. */
export const TOKEN_LIMIT = 512;
/** Maximum number of tokens in a long-text figure. */
export const PASSAGE_LIMIT = 65_536;

// Matches tokens if there is no Intl.Segmenter: words including apostrophes, numbers, whole emoji, and any other visible character.
const TOKEN_PATTERN =
  /[\p{L}\p{M}]+(?:['’][\p{L}\p{M}]+)*|\p{N}+(?:[.,]\p{N}+)*|\p{RI}{2}|\p{Extended_Pictographic}(?:\p{EMod}|\ufe0f)*(?:\u200d\p{Extended_Pictographic}(?:\p{EMod}|\ufe0f)*)*|[^\s]/gu;

// The locale is fixed, because links contain a word order, which must be valid on every machine.
const LOCALE = 'en';
/** Created on first use, because this loads locale data. */
let segmenter: Intl.Segmenter | undefined;

const isVisible = (text: string): boolean => !/^[\s\p{Cc}\p{Cf}\p{Z}]*$/u.test(text);

/** Minimum length of a piece in characters. Longer texts are split at the next word boundary. */
const MIN_PIECE_LENGTH = 1000;
const PIECE_END = /[\s。！？、，]/g;

/** Splits a text into pieces, because segmentation takes quadratic time. */
function splitPieces(text: string): string[] {
  const pieces: string[] = [];
  for (let from = 0; from < text.length; ) {
    PIECE_END.lastIndex = from + MIN_PIECE_LENGTH;
    const pieceEnd = from + MIN_PIECE_LENGTH < text.length ? PIECE_END.exec(text) : null;
    const to = pieceEnd ? pieceEnd.index + 1 : text.length;
    pieces.push(text.slice(from, to));
    from = to;
  }
  return pieces;
}

/** Matches English words, each with at most one punctuation mark after it. All implementations split such text into the same tokens. */
const PLAIN_ENGLISH = /^ *(?:[A-Za-z]+[,.;:!?]?(?: +|$))*$/;

function segmentTokens(text: string): readonly string[] {
  // Fast path. Creating a segmenter takes as long as all other work before the first picture.
  if (text.length < MIN_PIECE_LENGTH && PLAIN_ENGLISH.test(text)) return text.match(/[A-Za-z]+|[,.;:!?]/g) ?? [];
  if (typeof Intl.Segmenter !== 'function') return (text.match(TOKEN_PATTERN) ?? []).filter(isVisible);
  segmenter ??= new Intl.Segmenter(LOCALE, { granularity: 'word' });
  const currentSegmenter = segmenter;
  return splitPieces(text)
    .flatMap((piece) => Array.from(currentSegmenter.segment(piece), ({ segment }) => segment.trim()))
    .filter(isVisible);
}

let cachedTokens: { readonly text: string; readonly tokens: readonly string[] } | undefined;

/**
 * Splits a text into tokens. The latest result is cached, because all figures of a page request the same tokens at each step of a slider.
 */
export function tokenize(text: string): readonly string[] {
  if (cachedTokens?.text !== text) cachedTokens = { text, tokens: segmentTokens(text) };
  return cachedTokens.tokens;
}

/** Whether a text is too long for a sentence figure, but not for a long-text figure. */
export function isPassage(text: string): boolean {
  const count = tokenize(text).length;
  return count > TOKEN_LIMIT && count <= PASSAGE_LIMIT;
}

/** Returns an error message for a text that cannot be used, or undefined if the text is valid. */
export function findTextProblem(text: string): string | undefined {
  const count = tokenize(text).length;
  if (count === 0) return 'The text has no words. The last sentence is kept until you type some.';
  if (count > TOKEN_LIMIT)
    return `This text has ${count.toLocaleString('en')} words and punctuation marks; a sentence may have at most ${TOKEN_LIMIT}.`;
  return undefined;
}
