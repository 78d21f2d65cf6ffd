// GPT-2's byte-level BPE (Llama 3, Qwen, SmolLM). A GGUF file contains only the name of the pre-tokenizer. The regular expressions are
// copied from the tokenizer.json files published with the models.

import { argumentError } from '../../engine/errors.ts';
import { type TokenizerJson, type TokenizerPart, toSequence } from '../tokenizer-json.ts';
import { createPostProcessor, listAddedTokens } from './special-tokens.ts';
import type { GgufVocabulary } from './vocabulary.ts';

interface PreTokenizer {
  readonly parts: readonly TokenizerPart[];
  readonly normalizer?: TokenizerPart;
  /** Whether a word that is in the vocabulary becomes one token without applying merges. */
  readonly ignoresMerges?: boolean;
}

const createByteLevel = (use_regex: boolean): TokenizerPart => ({
  type: 'ByteLevel',
  add_prefix_space: false,
  trim_offsets: false,
  use_regex,
});
const splitBy = (Regex: string): TokenizerPart => ({ type: 'Split', pattern: { Regex }, behavior: 'Isolated', invert: false });

/** Returns GPT-4's pre-tokenization pattern. `digits` is the quantifier for runs of digits, such as '{1,3}'. */
const createGpt4Regex = (digits: string): string =>
  `(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}${digits}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+`;

const gpt2: PreTokenizer = { parts: [createByteLevel(true)] };
const llama3: PreTokenizer = { parts: [splitBy(createGpt4Regex('{1,3}')), createByteLevel(false)], ignoresMerges: true };
const qwen2: PreTokenizer = { parts: [splitBy(createGpt4Regex('')), createByteLevel(false)], normalizer: { type: 'NFC' } };
const singleDigits: PreTokenizer = { parts: [{ type: 'Digits', individual_digits: true }, createByteLevel(true)] };

/** The pre-tokenizers, by the value of tokenizer.ggml.pre. */
const PRE_TOKENIZERS: { readonly [pre: string]: PreTokenizer } = {
  'gpt-2': gpt2,
  'phi-2': gpt2,
  olmo: gpt2,
  'llama-bpe': llama3,
  llama3,
  'llama-v3': llama3,
  qwen2,
  'deepseek-r1-qwen': qwen2,
  smollm: singleDigits,
  starcoder: singleDigits,
  refact: singleDigits,
  'command-r': singleDigits,
};

export function convertGpt2(vocabulary: GgufVocabulary): TokenizerJson {
  const { tokens, getValue, getList } = vocabulary;
  const pre = String(getValue('pre') ?? 'gpt-2');
  const preTokenizer = Object.hasOwn(PRE_TOKENIZERS, pre) ? PRE_TOKENIZERS[pre] : undefined;
  if (!preTokenizer)
    throw argumentError(
      'tokenizer',
      `tokenizer.ggml.pre: "${pre}" is unknown; expected ${Object.keys(PRE_TOKENIZERS).join(', ')}, or a tokenizer.json next to the file`,
      { value: pre, allowed: Object.keys(PRE_TOKENIZERS) },
    );
  return {
    added_tokens: listAddedTokens(vocabulary, (token) => token),
    normalizer: preTokenizer.normalizer ?? null,
    pre_tokenizer: toSequence('pretokenizers', preTokenizer.parts),
    post_processor: createPostProcessor(vocabulary, { bos: false, eos: false }),
    decoder: createByteLevel(true),
    model: {
      type: 'BPE',
      vocab: Object.fromEntries(tokens.map((token, id) => [token, id])),
      merges: Array.from(getList('merges'), (pair) => String(pair).split(' ')),
      ignore_merges: preTokenizer.ignoresMerges ?? false,
      byte_fallback: false,
      unk_token: null,
    },
  };
}
