// Converts the vocabulary of a GGUF file to the equivalent tokenizer.json.

import { argumentError } from '../../engine/errors.ts';
import type { TokenizerJson } from '../tokenizer-json.ts';
import { bertTokenizer } from './bert.ts';
import { gpt2Tokenizer } from './gpt2.ts';
import { llamaTokenizer } from './llama.ts';
import { t5Tokenizer } from './t5.ts';
import { type GgufMetadata, type GgufVocabulary, readVocabulary } from './vocabulary.ts';

/** By tokenizer.ggml.model. */
const MODELS: { readonly [model: string]: (vocabulary: GgufVocabulary) => TokenizerJson } = {
  llama: llamaTokenizer,
  gpt2: gpt2Tokenizer,
  bert: bertTokenizer,
  t5: t5Tokenizer,
};

/** @throws {PhasorError} `invalid_argument` without a vocabulary, and for one of an unsupported type, by name */
export function tokenizerFromGguf(metadata: GgufMetadata): TokenizerJson {
  const vocabulary = readVocabulary(metadata);
  const { model } = vocabulary;
  const make = Object.hasOwn(MODELS, model) ? MODELS[model] : undefined;
  if (!make)
    throw argumentError(
      'tokenizer',
      `tokenizer.ggml.model: "${model}" is unknown; expected ${Object.keys(MODELS).join(', ')}, or a tokenizer.json beside the file`,
      { value: model, allowed: Object.keys(MODELS) },
    );
  return make(vocabulary);
}
