import type { TokenizedText } from '../../tokenizer/async-tokenizer.ts';
import type { LanguageModel } from '../contract/context.ts';
import { SpecError } from '../contract/spec.ts';

const STRINGS = {
  notIds: (word: string, maxId: number, why: string) =>
    `text: ${JSON.stringify(word)} is not a token id; expected ids from 0 to ${maxId}. ${why}`,
  tooShort: (tokenCount: number, minTokens: number) =>
    `text: has ${tokenCount} ${tokenCount === 1 ? 'token' : 'tokens'} for this model; expected at least ${minTokens}`,
  tooLong: (tokenCount: number, maxTokens: number) => `text: has ${tokenCount} tokens for this model; expected at most ${maxTokens}`,
} as const;

function parseTokenIds(text: string, { model, tokenizerProblem = '' }: LanguageModel): number[] {
  const maxId = model.info.vocabSize - 1;
  return text
    .split(/[\s,]+/)
    .filter(Boolean)
    .map((word) => {
      const id = /^\d+$/.test(word) ? Number(word) : Number.NaN;
      if (!(id <= maxId)) throw new SpecError('text', STRINGS.notIds(word, maxId, tokenizerProblem));
      return id;
    });
}

/** Without a tokenizer, each token is displayed as its id. */
const createIdTokens = (ids: readonly number[]): TokenizedText => ({
  ids,
  pieces: ids.map((id, partIndex) => ({ id, text: String(id), partIndex, isSpecial: false })),
});

/**
 * Tokenizes text, or parses it as token ids if the model has no tokenizer.
 * @throws {SpecError} rejects if the number of tokens is outside `minTokens` to `maxTokens`, or if a token id is invalid
 */
export async function tokenizeText(
  text: string,
  languageModel: LanguageModel,
  minTokens: number,
  maxTokens: number,
): Promise<TokenizedText> {
  const { tokenizer } = languageModel;
  const { ids, pieces } = tokenizer ? await tokenizer.tokenize(text) : createIdTokens(parseTokenIds(text, languageModel));
  if (ids.length < minTokens) throw new SpecError('text', STRINGS.tooShort(ids.length, minTokens));
  if (ids.length > maxTokens) throw new SpecError('text', STRINGS.tooLong(ids.length, maxTokens));
  return { ids, pieces };
}
