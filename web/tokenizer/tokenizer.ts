// Converts text to token ids and back with @huggingface/tokenizers and the files of a checkpoint.

import { Tokenizer } from '@huggingface/tokenizers';
import { argumentError } from '../engine/errors.ts';
import { checkSupported } from './supported.ts';
import type { TokenizerJson, TokenizerPart } from './tokenizer-json.ts';

export interface TextTokenizer {
  /** The largest id plus 1. */
  readonly vocabularySize: number;
  /** Converts text to token ids, including those that the tokenizer adds, such as a beginning-of-text token. */
  encode(text: string): number[];
  /** Converts token ids to text, including special tokens. */
  decode(ids: readonly number[]): string;
  /** Whether a token represents no text, such as a beginning-of-text or mask token. */
  isSpecial(id: number): boolean;
  /** Returns the token as it is spelled in the vocabulary. Throws if the id does not exist. */
  getToken(id: number): string;
}

/**
 * Disables a decoder's cleanup, which may change the text before the last token. Without cleanup, a prefix of the ids always decodes to a
 * prefix of the text.
 */
const disableCleanup = (part: TokenizerPart | null): TokenizerPart | null =>
  part === null
    ? null
    : {
        ...part,
        ...(part.type === 'WordPiece' ? { cleanup: false } : {}),
        ...(Array.isArray(part.decoders) ? { decoders: (part.decoders as TokenizerPart[]).map(disableCleanup) } : {}),
      };

/**
 * Creates the tokenizer of a checkpoint, without truncation and padding.
 * @param json the content of tokenizer.json
 * @param config the content of tokenizer_config.json
 * @throws {PhasorError} `invalid_argument` if the file is not a tokenizer.json, or has an unsupported part, which the message names
 */
export function createTokenizer(json: unknown, config: object = {}): TextTokenizer {
  const file = json as TokenizerJson;
  if (typeof json !== 'object' || json === null || typeof file.model !== 'object' || file.model === null)
    throw argumentError('tokenizer', 'the file has no "model"; expected the contents of a tokenizer.json');
  checkSupported(file);
  const { added_tokens = [], normalizer = null, pre_tokenizer = null, post_processor = null, decoder = null, model } = file;
  let tokenizer: Tokenizer;
  try {
    tokenizer = new Tokenizer(
      { added_tokens, normalizer, pre_tokenizer, post_processor, decoder: disableCleanup(decoder), model },
      { ...config, clean_up_tokenization_spaces: false },
    );
  } catch (thrown) {
    throw argumentError('tokenizer', `${(thrown as Error).message}; expected a tokenizer.json from a published model`);
  }
  const specialIds = new Set(added_tokens.filter((token) => token.special).map(({ id }) => id));
  const vocabulary = tokenizer.get_vocab();
  // Math.max(...ids) would fail for a large vocabulary, because the number of arguments is limited.
  let vocabularySize = 0;
  for (const id of vocabulary.values()) vocabularySize = Math.max(vocabularySize, id + 1);
  const getToken = (id: number): string => {
    const token = tokenizer.id_to_token(id);
    if (token === undefined) throw argumentError('ids', `no token has id ${id}; expected an id from 0 to ${vocabularySize - 1}`);
    return token;
  };
  return {
    vocabularySize,
    encode: (text) => {
      const ids = tokenizer.encode(text).ids as (number | undefined)[];
      const unknownIndex = ids.indexOf(undefined);
      if (unknownIndex >= 0)
        throw argumentError('text', `the token at index ${unknownIndex} is not in the vocabulary, which has no unknown token`);
      return ids as number[];
    },
    decode: (ids) => {
      for (const id of ids) getToken(id);
      return ids.length === 0 ? '' : tokenizer.decode([...ids]);
    },
    isSpecial: (id) => specialIds.has(id),
    getToken,
  };
}
