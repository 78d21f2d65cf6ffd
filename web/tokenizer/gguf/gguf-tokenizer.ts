// Converts the vocabulary of a GGUF file to the equivalent tokenizer.json.

import { argumentError } from '../../engine/errors.ts';
import type { TokenizerJson, TokenizerPart } from '../tokenizer-json.ts';
import { convertBert } from './bert.ts';
import { convertGpt2 } from './gpt2.ts';
import { convertLlama } from './llama.ts';
import { createPostProcessor, listAddedTokens } from './special-tokens.ts';
import { type GgufMetadata, type GgufVocabulary, readVocabulary, TOKEN_TYPES } from './vocabulary.ts';

/**
 * Creates the normalizer for a precompiled character map, which is base64-encoded as in tokenizer.json. Returns an empty list if there is
 * none.
 */
function createCharsmapNormalizer(bytes: unknown): TokenizerPart[] {
  if (!ArrayBuffer.isView(bytes) && !Array.isArray(bytes)) return [];
  const text = Array.from(bytes as ArrayLike<number>, (byte) => String.fromCharCode(Number(byte) & 255)).join('');
  return text === '' ? [] : [{ type: 'Precompiled', precompiled_charsmap: btoa(text) }];
}

function convertT5(vocabulary: GgufVocabulary): TokenizerJson {
  const { tokens, getType, getValue, getList, findTokenId } = vocabulary;
  const scores = getList('scores');
  const unknownId = findTokenId('unknown') ?? tokens.findIndex((_, id) => getType(id) === TOKEN_TYPES.unknown);
  const metaspace = { type: 'Metaspace', replacement: '▁', prepend_scheme: getValue('add_space_prefix') === false ? 'never' : 'always' };
  return {
    added_tokens: listAddedTokens(vocabulary, (token) => token),
    normalizer: createCharsmapNormalizer(getValue('precompiled_charsmap'))[0] ?? null,
    pre_tokenizer: { type: 'Sequence', pretokenizers: [{ type: 'WhitespaceSplit' }, metaspace] },
    post_processor: createPostProcessor(vocabulary, { bos: false, eos: true }),
    decoder: metaspace,
    model: { type: 'Unigram', vocab: tokens.map((token, id) => [token, Number(scores[id])]), unk_id: unknownId < 0 ? null : unknownId },
  };
}

/** Functions that convert a vocabulary, by the value of tokenizer.ggml.model. */
const CONVERTERS: { readonly [model: string]: (vocabulary: GgufVocabulary) => TokenizerJson } = {
  llama: convertLlama,
  gpt2: convertGpt2,
  bert: convertBert,
  t5: convertT5,
};

/** @throws {PhasorError} `invalid_argument` if there is no vocabulary, or if its type is not supported; the message contains the type */
export function tokenizerFromGguf(metadata: GgufMetadata): TokenizerJson {
  const vocabulary = readVocabulary(metadata);
  const { model } = vocabulary;
  const convert = Object.hasOwn(CONVERTERS, model) ? CONVERTERS[model] : undefined;
  if (!convert)
    throw argumentError(
      'tokenizer',
      `tokenizer.ggml.model: "${model}" is unknown; expected ${Object.keys(CONVERTERS).join(', ')}, or a tokenizer.json next to the file`,
      { value: model, allowed: Object.keys(CONVERTERS) },
    );
  return convert(vocabulary);
}
