// Reads the vocabulary of a GGUF file from its tokenizer.ggml.* metadata (ggml-org/ggml, docs/gguf.md).

import { argumentError } from '../../engine/errors.ts';

/** The metadata values, by their full names. Lists are arrays. */
export type GgufMetadata = ReadonlyMap<string, unknown>;

/** Token types, as numbered in GGUF files. */
export const TOKEN_TYPES = { normal: 1, unknown: 2, control: 3, userDefined: 4, unused: 5, byte: 6 } as const;

export interface GgufVocabulary {
  readonly model: string;
  readonly tokens: readonly string[];
  readonly getType: (id: number) => number;
  /** Returns one of the vocabulary's lists. Throws an error with the list's name if the file does not contain it. */
  getList(name: 'scores' | 'merges'): ArrayLike<unknown>;
  /** Returns a metadata value, or undefined if the file does not contain it. `name` is without the prefix tokenizer.ggml. */
  getValue(name: string): unknown;
  /** Returns the id of a special token, such as 'bos', or undefined if the file does not specify it. */
  findTokenId(name: string): number | undefined;
}

const KEY_PREFIX = 'tokenizer.ggml.';

export function readVocabulary(metadata: GgufMetadata): GgufVocabulary {
  const getValue = (name: string): unknown => metadata.get(KEY_PREFIX + name);
  const getList = (name: string): ArrayLike<unknown> => {
    const entry = getValue(name);
    if (!Array.isArray(entry) && !ArrayBuffer.isView(entry))
      throw argumentError('tokenizer', `the GGUF file has no ${KEY_PREFIX}${name}; expected a list`);
    return entry as unknown as ArrayLike<unknown>;
  };
  const model = getValue('model');
  if (typeof model !== 'string')
    throw argumentError(
      'tokenizer',
      `the GGUF file has no ${KEY_PREFIX}model, so it has no vocabulary; expected a vocabulary, or a tokenizer.json`,
    );
  const tokens = Array.from(getList('tokens'), String);
  const types = getValue('token_type') === undefined ? undefined : getList('token_type');
  if (types && types.length !== tokens.length)
    throw argumentError(
      'tokenizer',
      `${KEY_PREFIX}token_type has ${types.length} entries for ${tokens.length} tokens; expected one per token`,
    );
  return {
    model,
    tokens,
    getType: (id) => Number(types?.[id] ?? TOKEN_TYPES.normal),
    getList,
    getValue,
    findTokenId: (name) => {
      const entry = getValue(`${name}_token_id`);
      if (entry === undefined) return undefined;
      const id = Number(entry);
      if (!(id in tokens))
        throw argumentError('tokenizer', `${KEY_PREFIX}${name}_token_id: ${entry} is not a token id; expected 0 to ${tokens.length - 1}`);
      return id;
    },
  };
}
