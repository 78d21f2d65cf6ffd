// What the tiles show of a figure. Equal facts are the same value, so that the sentence is drawn anew only when they change.
import { computed } from '@preact/signals-core';
import { addedNumbers } from '../../figure/pictures/added.ts';
import { arcsLeftOut } from '../../figure/pictures/over-sentence.ts';
import { placeCursor } from '../cursor.ts';
import { encodingId, figure, words } from '../store.ts';

/** The number under the first word, when the encoding counts positions. */
export const firstNumber = computed(() => (encodingId.value === 'none' ? undefined : (figure.value?.setting.offset ?? 0)));

/** What is not drawn over the sentence, as a line; '' when everything is. */
export const leftOut = computed(() => (figure.value ? arcsLeftOut(figure.value, placeCursor(figure.value)) : ''));

const none: ReadonlySet<number> = new Set();

const unknownList = computed(() => {
  const shown = figure.value;
  if (!shown || shown.words.length !== words.value.length) return '';
  return shown.known.flatMap((isKnown, word) => (isKnown ? [] : word)).join(' ');
});

/** The words without a vector. */
export const unknownWords = computed(() => (unknownList.value ? new Set(unknownList.value.split(' ').map(Number)) : none));

/** How many dimensions a stripe has to point at; 0 when it is made of a bias, whose columns are words. */
export const dimensions = computed(() => {
  const shown = figure.value;
  return shown && shown.addition.kind !== 'bias' ? (addedNumbers(shown)?.grid.columns ?? 0) : 0;
});

/** How large the words are set: a short sentence fills the page, a long text scrolls in its box. */
export function sizeOf(tokens: readonly string[]): string {
  const letters = tokens.join(' ').length;
  if (tokens.length <= 9 && letters <= 56) return 'large';
  if (tokens.length <= 40) return 'medium';
  return tokens.length <= 120 ? 'small' : 'tiny';
}
