// The figures of the book that can show a sentence of the user, and the sentences that they support.
import { describe, expect, it } from 'vitest';
import { isSupportedSentence } from '../../web/book/own-sentence.ts';
import { EXAMPLE_SENTENCE } from '../../web/figure/compute/sentence-fields.ts';
import { html } from './read-book.ts';

describe('data-sentence attribute of a book figure', () => {
  const attribute = ` data-sentence="${EXAMPLE_SENTENCE}"`;

  it.each([
    ['marks a figure without a text', 'kind=sentence', true],
    ['marks a figure with the example sentence', `kind=attention text="${EXAMPLE_SENTENCE}"`, true],
    ['does not mark a figure with another sentence', 'kind=attention text="The dog chased another dog"', false],
    ['does not mark a figure with a changed word order', 'kind=change order="3, 1, 2, 0"', false],
    ['does not mark a figure without a sentence', 'kind=waves', false],
  ])('%s', async (_, head, isBooks) => {
    expect((await html(`::: figure ${head}\nA caption.\n:::`)).includes(attribute)).toBe(isBooks);
  });
});

describe('isSupportedSentence', () => {
  it.each(['my kid likes the movie', 'one two three four', '我 喜 欢 猫'])('accepts “%s”', (sentence) => {
    expect(isSupportedSentence(sentence)).toBe(true);
  });

  it.each(['', 'one two three', 'a b c d e f g h i j k l m'])('rejects “%s”', (sentence) => {
    expect(isSupportedSentence(sentence)).toBe(false);
  });
});
