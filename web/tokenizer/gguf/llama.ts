// BPE whose merges are ordered by token scores (SentencePiece: Llama 2, Mistral, Gemma). Pairs whose merged token has the highest score are
// merged first.

import { type TokenizerJson, toSequence } from '../tokenizer-json.ts';
import { createPostProcessor, listAddedTokens } from './special-tokens.ts';
import { type GgufVocabulary, TOKEN_TYPES } from './vocabulary.ts';

const SPACE_MARK = '▁';

/** Finds all pairs of tokens whose concatenation is a token. Pairs are sorted by the score of that token, in descending order. */
function findMerges(
  { tokens, getType, getList }: GgufVocabulary,
  vocab: { readonly [token: string]: number },
): readonly [string, string][] {
  const scores = getList('scores');
  const mergeableIds = tokens
    .map((_, id) => id)
    .filter((id) => getType(id) === TOKEN_TYPES.normal || getType(id) === TOKEN_TYPES.userDefined)
    .sort((a, b) => Number(scores[b]) - Number(scores[a]));
  return mergeableIds.flatMap((id) => {
    const characters = Array.from(tokens[id] as string);
    const pairs: [string, string][] = [];
    for (let leftLength = 1; leftLength < characters.length; leftLength += 1) {
      const [left, right] = [characters.slice(0, leftLength).join(''), characters.slice(leftLength).join('')];
      if (Object.hasOwn(vocab, left) && Object.hasOwn(vocab, right)) pairs.push([left, right]);
    }
    return pairs;
  });
}

export function convertLlama(vocabulary: GgufVocabulary): TokenizerJson {
  const { tokens, getType, getValue, findTokenId } = vocabulary;
  const vocab = Object.fromEntries(tokens.map((token, id) => [token, id]));
  const addsPrefixSpace = getValue('add_space_prefix') !== false;
  const unknownId = findTokenId('unknown') ?? tokens.findIndex((_, id) => getType(id) === TOKEN_TYPES.unknown);
  return {
    added_tokens: listAddedTokens(vocabulary, (token) => token.replaceAll(SPACE_MARK, ' ')),
    normalizer: toSequence('normalizers', [
      ...(addsPrefixSpace ? [{ type: 'Prepend', prepend: SPACE_MARK }] : []),
      { type: 'Replace', pattern: { String: ' ' }, content: SPACE_MARK },
    ]),
    pre_tokenizer: null,
    post_processor: createPostProcessor(vocabulary, { bos: true, eos: false }),
    decoder: toSequence('decoders', [
      { type: 'Replace', pattern: { String: SPACE_MARK }, content: ' ' },
      { type: 'ByteFallback' },
      { type: 'Fuse' },
      ...(addsPrefixSpace ? [{ type: 'Strip', content: ' ', start: 1, stop: 0 }] : []),
    ]),
    model: {
      type: 'BPE',
      vocab,
      merges: findMerges(vocabulary, vocab),
      byte_fallback: true,
      unk_token: tokens[unknownId] ?? null,
      fuse_unk: true,
    },
  };
}
