// A tokenizer whose methods return promises. It runs on this thread or in a worker (worker-tokenizer.ts).

import { type Piece, splitPieces } from './pieces.ts';
import { readTokenizer, type TokenizerFiles } from './tokenizer-files.ts';

export interface TokenizedText {
  readonly ids: readonly number[];
  /** One piece per id. */
  readonly pieces: readonly Piece[];
}

export interface AsyncTokenizer {
  /** Tokenizes a string, and adds the special tokens before and after it. */
  tokenize(text: string): Promise<TokenizedText>;
  /** Decodes token ids. The text includes special tokens. */
  decode(ids: readonly number[]): Promise<string>;
  /** Frees the tokenizer's memory, and rejects pending calls. */
  dispose(): void;
}

/**
 * Opens a tokenizer on this thread.
 * @throws {PhasorError} rejects with the errors of `readTokenizer`
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
