// Tokenizes a text with the tokenizer of a language model.

import type { Tokens } from '../../tokenizer/async-tokenizer.ts';
import type { LanguageModel } from '../contract/context.ts';
import { SpecError } from '../contract/spec.ts';

const STRINGS = {
  notIds: (part: string, most: number, why: string) =>
    `text: ${JSON.stringify(part)} is not a token id; expected ids from 0 to ${most}. ${why}`,
  tooShort: (tokens: number, least: number) =>
    `text: has ${tokens} ${tokens === 1 ? 'token' : 'tokens'} for this model; expected at least ${least}`,
  tooLong: (tokens: number, most: number) => `text: has ${tokens} tokens for this model; expected at most ${most}`,
} as const;

function idsOf(text: string, { model, tokenizerProblem = '' }: LanguageModel): number[] {
  const maxId = model.info.vocabSize - 1;
  return text
    .split(/[\s,]+/)
    .filter(Boolean)
    .map((part) => {
      const id = /^\d+$/.test(part) ? Number(part) : Number.NaN;
      if (!(id <= maxId)) throw new SpecError('text', STRINGS.notIds(part, maxId, tokenizerProblem));
      return id;
    });
}

/** Tokens for a model without a tokenizer: each token's text is its id. */
const tokensOfIds = (ids: readonly number[]): Tokens => ({
  ids,
  pieces: ids.map((id, partIndex) => ({ id, text: String(id), partIndex, isSpecial: false })),
});

/**
 * The tokens of a text.
 * @throws {SpecError} as a rejection: for fewer than `least` or more than `most` tokens, and for a text if the model has no tokenizer
 */
export async function modelText(text: string, languageModel: LanguageModel, least: number, most: number): Promise<Tokens> {
  const { tokenizer } = languageModel;
  const { ids, pieces } = tokenizer ? await tokenizer.tokenize(text) : tokensOfIds(idsOf(text, languageModel));
  if (ids.length < least) throw new SpecError('text', STRINGS.tooShort(ids.length, least));
  if (ids.length > most) throw new SpecError('text', STRINGS.tooLong(ids.length, most));
  return { ids, pieces };
}
