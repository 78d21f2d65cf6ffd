// Passages from the held-out end of the bundled novel, tokenized for the page's model. The bundled model was not
// trained on them.

import type { LanguageModel } from '../../contract/context.ts';
import { SpecError } from '../../contract/spec.ts';
import { strings } from './strings.ts';

/** Number of characters at the end of the novel that were held out from training. */
const HELD_OUT_LENGTH = 120_000;
/** An upper bound on the mean number of characters per token in any vocabulary. */
const MAX_CHARACTERS_PER_TOKEN = 6;

/** Joins the lines of each paragraph, as in the preprocessed training text. */
const unwrapLines = (text: string): string =>
  text
    .replaceAll('\r\n', '\n')
    .replaceAll(/(?<!\n)\n(?!\n)/g, ' ')
    .replaceAll(/ *\n[\n ]*/g, '\n')
    .replaceAll(/ {2,}/g, ' ');

/** Number of passages to measure. Larger models are slower, so fewer passages are measured. */
export const choosePassageCount = (parameterCount: number): number => (parameterCount < 5e6 ? 8 : parameterCount < 5e7 ? 3 : 1);

/** Keeps the leading special tokens and the last of the remaining tokens, `length` tokens in total. */
export function keepLastTokens(ids: readonly number[], length: number, isSpecial: (id: number) => boolean): readonly number[] {
  const textStart = Math.max(
    0,
    ids.findIndex((id) => !isSpecial(id)),
  );
  return [...ids.slice(0, textStart), ...ids.slice(ids.length - Math.min(ids.length - textStart, length - textStart))];
}

/** Creates a reader for `count` passages of at least `length` tokens, evenly spaced in the held-out text. */
export function createPassageReader(novel: string, { tokenizer, tokenizerProblem = '' }: LanguageModel, count: number, length: number) {
  if (!tokenizer) throw new SpecError('longest', strings.noTokenizer(tokenizerProblem));
  const text = unwrapLines(novel.slice(-HELD_OUT_LENGTH));
  const passageLength = length * MAX_CHARACTERS_PER_TOKEN;
  return {
    /** Tokenizes a passage. The returned function returns its last `tokens` tokens. */
    async passage(passageIndex: number): Promise<(tokens: number) => readonly number[]> {
      const passageEnd = passageLength + Math.floor(((text.length - passageLength) * (passageIndex + 1)) / count);
      const { ids, pieces } = await tokenizer.tokenize(text.slice(text.indexOf(' ', passageEnd - passageLength) + 1, passageEnd));
      const specialIds = new Set(pieces.filter(({ isSpecial }) => isSpecial).map(({ id }) => id));
      return (tokens) => keepLastTokens(ids, tokens, (id) => specialIds.has(id));
    },
  };
}
