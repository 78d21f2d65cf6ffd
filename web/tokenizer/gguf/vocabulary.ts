// Reads the vocabulary of a GGUF file from its tokenizer.ggml.* metadata (ggml-org/ggml, docs/gguf.md).

import { argumentError } from '../../engine/errors.ts';

/** The metadata values, by their full names. Lists are arrays. */
export type GgufMetadata = ReadonlyMap<string, unknown>;

/** Token types, as numbered in GGUF files. */
export const TOKEN_TYPES = { normal: 1, unknown: 2, control: 3, userDefined: 4, unused: 5, byte: 6 } as const;

export interface GgufVocabulary {
  readonly model: string;
  readonly tokens: readonly string[];
  readonly typeOf: (id: number) => number;
  /** Returns one of the vocabulary's lists. Throws an error with the list's name if the file does not contain it. */
  list(name: 'scores' | 'merges'): ArrayLike<unknown>;
  /** Returns a metadata value, or undefined if the file does not contain it. `name` is without the prefix tokenizer.ggml. */
  value(name: string): unknown;
  /** Returns the id of a special token, such as 'bos', or undefined if the file does not specify it. */
  id(name: string): number | undefined;
}

const PREFIX = 'tokenizer.ggml.';

export function readVocabulary(metadata: GgufMetadata): GgufVocabulary {
  const value = (name: string): unknown => metadata.get(PREFIX + name);
  const list = (name: string): ArrayLike<unknown> => {
    const entry = value(name);
    if (!Array.isArray(entry) && !ArrayBuffer.isView(entry))
      throw argumentError('tokenizer', `the GGUF file has no ${PREFIX}${name}; expected a list`);
    return entry as unknown as ArrayLike<unknown>;
  };
  const model = value('model');
  if (typeof model !== 'string')
    throw argumentError(
      'tokenizer',
      `the GGUF file has no ${PREFIX}model, so it has no vocabulary; expected a vocabulary, or a tokenizer.json`,
    );
  const tokens = Array.from(list('tokens'), String);
  const types = value('token_type') === undefined ? undefined : list('token_type');
  if (types && types.length !== tokens.length)
    throw argumentError('tokenizer', `${PREFIX}token_type has ${types.length} entries for ${tokens.length} tokens; expected one per token`);
  return {
    model,
    tokens,
    typeOf: (id) => Number(types?.[id] ?? TOKEN_TYPES.normal),
    list,
    value,
    id: (name) => {
      const entry = value(`${name}_token_id`);
      if (entry === undefined) return undefined;
      const id = Number(entry);
      if (!(id in tokens))
        throw argumentError('tokenizer', `${PREFIX}${name}_token_id: ${entry} is not a token id; expected 0 to ${tokens.length - 1}`);
      return id;
    },
  };
}
