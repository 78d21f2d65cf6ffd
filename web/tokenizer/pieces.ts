// Finds the part of the text that each token represents.

import type { TextTokenizer } from './tokenizer.ts';

/** The part of the decoded text that a token adds. If several tokens are the bytes of one character, they share a piece. */
export interface Piece {
  readonly id: number;
  readonly text: string;
  readonly partIndex: number;
  readonly isSpecial: boolean;
}

/** The decoder returns this character for an incomplete UTF-8 sequence. */
const REPLACEMENT_CHARACTER = '\uFFFD';

/** Number of preceding tokens that are decoded together with each token. */
const CONTEXT_TOKEN_COUNT = 8;

/** Splits token ids into pieces. The pieces of a prefix of the ids are the same, except for an incomplete last character. */
export function splitPieces(ids: readonly number[], tokenizer: Pick<TextTokenizer, 'decode' | 'isSpecial'>): readonly Piece[] {
  const pieces: Piece[] = [];
  let partIndex = 0;
  for (let start = 0; start < ids.length; partIndex += 1) {
    const contextStart = Math.max(0, start - CONTEXT_TOKEN_COUNT);
    const contextText = tokenizer.decode(ids.slice(contextStart, start));
    let end = start + 1;
    const decodeAddedText = () => tokenizer.decode(ids.slice(contextStart, end)).slice(contextText.length);
    // A character in UTF-8 has at most four bytes.
    while (end < ids.length && end - start < 4 && decodeAddedText().endsWith(REPLACEMENT_CHARACTER)) end += 1;
    // A byte that does not belong to a valid character is a separate piece.
    if (decodeAddedText().endsWith(REPLACEMENT_CHARACTER)) end = start + 1;
    const text = decodeAddedText();
    for (const id of ids.slice(start, end)) pieces.push({ id, text, partIndex, isSpecial: tokenizer.isSpecial(id) });
    start = end;
  }
  return pieces;
}
