// A text as the tokens of a language model.

import { type Piece, piecesOf } from '../../tokenizer/pieces.ts';
import type { LanguageModel } from '../contract/context.ts';
import { SpecError } from '../contract/spec.ts';

const STRINGS = {
  notIds: (part: string, most: number, why: string) =>
    `text: ${JSON.stringify(part)} is not a token id from 0 to ${most}, which this model needs. ${why}`,
  tooShort: (tokens: number, least: number) =>
    `text: it has ${tokens} ${tokens === 1 ? 'token' : 'tokens'} of this model; expected at least ${least}`,
  tooLong: (tokens: number, most: number) => `text: it has ${tokens} tokens of this model; expected at most ${most}`,
} as const;

export interface ModelText {
  readonly ids: readonly number[];
  /** One for each id; without a tokenizer its number. */
  readonly pieces: readonly Piece[];
}

function idsOf(text: string, { model, tokenizerProblem = '' }: LanguageModel): number[] {
  const most = model.info.vocabSize - 1;
  return text
    .split(/[\s,]+/)
    .filter(Boolean)
    .map((part) => {
      const id = /^\d+$/.test(part) ? Number(part) : Number.NaN;
      if (!(id <= most)) throw new SpecError('text', STRINGS.notIds(part, most, tokenizerProblem));
      return id;
    });
}

/** The tokens of a text, `least` to `most`. @throws {SpecError} for fewer or more, and for a text where the model has no tokenizer */
export function modelText(text: string, languageModel: LanguageModel, least: number, most: number): ModelText {
  const { tokenizer } = languageModel;
  const ids = tokenizer ? tokenizer.encode(text) : idsOf(text, languageModel);
  if (ids.length < least) throw new SpecError('text', STRINGS.tooShort(ids.length, least));
  if (ids.length > most) throw new SpecError('text', STRINGS.tooLong(ids.length, most));
  const pieces = tokenizer ? piecesOf(ids, tokenizer) : ids.map((id, part) => ({ id, text: String(id), part, isSpecial: false }));
  return { ids, pieces };
}
