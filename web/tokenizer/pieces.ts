// A text as the pieces that a model reads.

import type { TextTokenizer } from './tokenizer.ts';

/** The part of the decoded text that one token adds. Tokens that are bytes of one character have the same part. */
export interface Piece {
  readonly id: number;
  readonly text: string;
  /** The index of its part: tokens of one character share it. */
  readonly part: number;
  readonly isSpecial: boolean;
}

/** What the decoder writes for a character of which bytes are missing. */
const INCOMPLETE = '\uFFFD';

/** What the next token adds to the text is judged with so many tokens before it. */
const CONTEXT = 8;

/** The pieces of ids: those of a prefix of the ids are the same, except its last, incomplete character. */
export function piecesOf(ids: readonly number[], tokenizer: Pick<TextTokenizer, 'decode' | 'isSpecial'>): readonly Piece[] {
  const pieces: Piece[] = [];
  let part = 0;
  for (let first = 0; first < ids.length; part += 1) {
    const from = Math.max(0, first - CONTEXT);
    const before = tokenizer.decode(ids.slice(from, first));
    let end = first + 1;
    const added = () => tokenizer.decode(ids.slice(from, end)).slice(before.length);
    // A character in UTF-8 has at most four bytes.
    while (end < ids.length && end - first < 4 && added().endsWith(INCOMPLETE)) end += 1;
    // Bytes that are no character in any way stand alone.
    if (added().endsWith(INCOMPLETE)) end = first + 1;
    const text = added();
    for (const id of ids.slice(first, end)) pieces.push({ id, text, part, isSpecial: tokenizer.isSpecial(id) });
    first = end;
  }
  return pieces;
}
