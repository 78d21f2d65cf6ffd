// Passages of the end of the novel that ships, which the shipped model has not read in training, as tokens of the model of the page.

import type { LanguageModel } from '../../contract/context.ts';
import { SpecError } from '../../contract/spec.ts';
import { strings } from './strings.ts';

/** Characters at the end of the novel: all of them are among those that the training left out. */
const HELD_OUT = 120_000;
/** More than the characters of a token of any vocabulary, on average. */
const CHARACTERS = 6;

/** Paragraphs as lines, as the model has read them. */
const unwrapped = (text: string): string =>
  text
    .replaceAll('\r\n', '\n')
    .replaceAll(/(?<!\n)\n(?!\n)/g, ' ')
    .replaceAll(/ *\n[\n ]*/g, '\n')
    .replaceAll(/ {2,}/g, ' ');

/** Passages of a larger model are fewer, because each takes longer. */
export const passagesFor = (parameters: number): number => (parameters < 5e6 ? 8 : parameters < 5e7 ? 3 : 1);

/** The last `length` tokens of a passage; what the tokenizer puts before a text, such as a beginning of text, remains the first of them. */
export function endOf(ids: readonly number[], length: number, isSpecial: (id: number) => boolean): readonly number[] {
  const first = Math.max(
    0,
    ids.findIndex((id) => !isSpecial(id)),
  );
  return [...ids.slice(0, first), ...ids.slice(ids.length - Math.min(ids.length - first, length - first))];
}

/** Passage `at` of `count`, which are spread over the text, as at least `length` tokens. */
export function passageReader(novel: string, { tokenizer, tokenizerProblem = '' }: LanguageModel, count: number, length: number) {
  if (!tokenizer) throw new SpecError('longest', strings.noTokenizer(tokenizerProblem));
  const text = unwrapped(novel.slice(-HELD_OUT));
  const room = length * CHARACTERS;
  return {
    /** Its last `tokens` tokens. */
    async passage(at: number): Promise<(tokens: number) => readonly number[]> {
      const end = room + Math.floor(((text.length - room) * (at + 1)) / count);
      const { ids, pieces } = await tokenizer.tokenize(text.slice(text.indexOf(' ', end - room) + 1, end));
      const special = new Set(pieces.filter(({ isSpecial }) => isSpecial).map(({ id }) => id));
      return (tokens) => endOf(ids, tokens, (id) => special.has(id));
    },
  };
}
