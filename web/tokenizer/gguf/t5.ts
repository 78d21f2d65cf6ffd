// Unigram vocabularies with probabilities (SentencePiece: T5).

import type { TokenizerJson, TokenizerPart } from '../tokenizer-json.ts';
import { addedTokens, aroundText } from './special-tokens.ts';
import { type GgufVocabulary, TOKEN_TYPES } from './vocabulary.ts';

/** The table of normalisations, which is base64 in tokenizer.json. */
function charsmap(bytes: unknown): TokenizerPart[] {
  if (!ArrayBuffer.isView(bytes) && !Array.isArray(bytes)) return [];
  const text = Array.from(bytes as ArrayLike<number>, (byte) => String.fromCharCode(Number(byte) & 255)).join('');
  return text === '' ? [] : [{ type: 'Precompiled', precompiled_charsmap: btoa(text) }];
}

export function t5Tokenizer(vocabulary: GgufVocabulary): TokenizerJson {
  const { tokens, typeOf, value, list, id } = vocabulary;
  const scores = list('scores');
  const unknown = id('unknown') ?? tokens.findIndex((_, at) => typeOf(at) === TOKEN_TYPES.unknown);
  const space = { type: 'Metaspace', replacement: '▁', prepend_scheme: value('add_space_prefix') === false ? 'never' : 'always' };
  return {
    added_tokens: addedTokens(vocabulary, (token) => token),
    normalizer: charsmap(value('precompiled_charsmap'))[0] ?? null,
    pre_tokenizer: { type: 'Sequence', pretokenizers: [{ type: 'WhitespaceSplit' }, space] },
    post_processor: aroundText(vocabulary, { bos: false, eos: true }),
    decoder: space,
    model: { type: 'Unigram', vocab: tokens.map((token, at) => [token, Number(scores[at])]), unk_id: unknown < 0 ? null : unknown },
  };
}
