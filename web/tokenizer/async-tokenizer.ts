// A tokenizer that returns promises, on this thread or in a worker (worker-tokenizer.ts).

import { type Piece, splitPieces } from './pieces.ts';
import { readTokenizer, type TokenizerFiles } from './tokenizer-files.ts';

export interface Tokens {
  readonly ids: readonly number[];
  /** One piece per id. */
  readonly pieces: readonly Piece[];
}

export interface AsyncTokenizer {
  /** The tokens of a text, including special tokens that the tokenizer adds before and after the text. */
  tokenize(text: string): Promise<Tokens>;
  /** The text of token ids, including special tokens. */
  decode(ids: readonly number[]): Promise<string>;
  /** Frees the memory of the tokenizer. Pending calls are rejected. */
  dispose(): void;
}

/**
 * Opens a tokenizer on this thread.
 * @throws {PhasorError} as a rejection, for the same reasons as `readTokenizer`
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
