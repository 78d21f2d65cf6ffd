// A tokenizer whose methods return promises. It runs on this thread or in a worker (worker-tokenizer.ts).

import { type Piece, splitPieces } from './pieces.ts';
import { readTokenizer, type TokenizerFiles } from './tokenizer-files.ts';

export interface Tokens {
  readonly ids: readonly number[];
  /** One piece per id. */
  readonly pieces: readonly Piece[];
}

export interface AsyncTokenizer {
  /** Returns the tokens of a text, including special tokens that the tokenizer adds before and after the text. */
  tokenize(text: string): Promise<Tokens>;
  /** Returns the text of token ids, including special tokens. */
  decode(ids: readonly number[]): Promise<string>;
  /** Frees the memory of the tokenizer, and rejects pending calls. */
  dispose(): void;
}

/**
 * Opens a tokenizer on this thread.
 * @throws {PhasorError} as a rejection: the errors of `readTokenizer`
 */
export async function openTokenizer(files: TokenizerFiles): Promise<AsyncTokenizer> {
  const tokenizer = await readTokenizer(files);
  return {
    async tokenize(text) {
      const ids = tokenizer.encode(text);
      return { ids, pieces: splitPieces(ids, tokenizer) };
    },
    decode: async (ids) => tokenizer.decode(ids),
    dispose() {},
  };
}
