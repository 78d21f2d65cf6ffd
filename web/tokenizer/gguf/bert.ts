// WordPiece vocabularies (BERT, MiniLM, BGE). GGUF files mark pieces at the beginning of a word with ▁, whereas tokenizer.json marks all
// other pieces with ##.

import { createTemplateProcessor, type TokenizerJson } from '../tokenizer-json.ts';
import { listAddedTokens } from './special-tokens.ts';
import { type GgufVocabulary, TOKEN_TYPES } from './vocabulary.ts';

const WORD_START = '▁';

export function convertBert(vocabulary: GgufVocabulary): TokenizerJson {
  const { tokens, getType, findTokenId } = vocabulary;
  const tokenTexts = tokens.map((token, id) => {
    if (getType(id) !== TOKEN_TYPES.normal && getType(id) !== TOKEN_TYPES.unused) return token;
    return token.startsWith(WORD_START) ? token.slice(WORD_START.length) : `##${token}`;
  });
  const findSpecialToken = (names: readonly string[], text: string): { readonly [token: string]: number } => {
    const tokenId = names.map(findTokenId).find((foundId) => foundId !== undefined) ?? tokens.indexOf(text);
    return tokenId < 0 ? {} : { [tokenTexts[tokenId] as string]: tokenId };
  };
  const [first, last] = [findSpecialToken(['cls', 'bos'], '[CLS]'), findSpecialToken(['seperator', 'separator', 'sep', 'eos'], '[SEP]')];
  return {
    added_tokens: listAddedTokens(vocabulary, (token) => token),
    normalizer: { type: 'BertNormalizer', clean_text: true, handle_chinese_chars: true, strip_accents: null, lowercase: true },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor: createTemplateProcessor(Object.keys(first), Object.keys(last), { ...first, ...last }),
    decoder: { type: 'WordPiece', prefix: '##', cleanup: false },
    model: {
      type: 'WordPiece',
      vocab: Object.fromEntries(tokenTexts.map((token, id) => [token, id])),
      unk_token: tokenTexts[findTokenId('unknown') ?? tokens.indexOf('[UNK]')] ?? '[UNK]',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
    },
  };
}
