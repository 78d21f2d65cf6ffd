// Which figures of the book may show the reader's sentence, and which sentences they support.
import { describe, expect, it } from 'vitest';
import { isSupportedSentence } from '../../web/book/own-sentence.ts';
import { EXAMPLE_SENTENCE } from '../../web/figure/compute/sentence-fields.ts';
import { html } from './read-book.ts';

describe('the sentence of the book', () => {
  const mark = ` data-sentence="${EXAMPLE_SENTENCE}"`;

  it.each([
    ['that names none', 'kind=sentence', true],
    ['that names it', `kind=attention text="${EXAMPLE_SENTENCE}"`, true],
    ['of another sentence', 'kind=attention text="The dog chased another dog"', false],
    ['that begins with a word moved', 'kind=change order="3, 1, 2, 0"', false],
    ['without words', 'kind=waves', false],
  ])('a figure %s', async (_, head, isBooks) => {
    expect((await html(`::: figure ${head}\nA caption.\n:::`)).includes(mark)).toBe(isBooks);
  });
});

describe('a sentence of the reader', () => {
  it.each(['my kid likes the movie', 'one two three four', '我 喜 欢 猫'])('%s fits', (sentence) => {
    expect(isSupportedSentence(sentence)).toBe(true);
  });

  it.each(['', 'one two three', 'a b c d e f g h i j k l m'])('“%s” does not', (sentence) => {
    expect(isSupportedSentence(sentence)).toBe(false);
  });
});
