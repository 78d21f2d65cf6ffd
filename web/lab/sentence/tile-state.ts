// What the tiles show of a figure, as computed signals, so that the sentence is rendered again only when it changes.
import { computed } from '@preact/signals-core';
import { addedNumbers } from '../../sentence/pictures/added.ts';
import { omittedArcsNote } from '../../sentence/pictures/sentence-overlay.ts';
import { placeCursor } from '../cursor.ts';
import { encodingId, figure, words } from '../store.ts';

/** The position under the first word, if there is an encoding. */
export const firstPosition = computed(() => (encodingId.value === 'none' ? undefined : (figure.value?.setting.offset ?? 0)));

/** A note about arcs that are not drawn; '' when all are. */
export const omittedArcs = computed(() => (figure.value ? omittedArcsNote(figure.value, placeCursor(figure.value)) : ''));

const none: ReadonlySet<number> = new Set();

const unknownList = computed(() => {
  const shown = figure.value;
  if (!shown || shown.words.length !== words.value.length) return '';
  return shown.known.flatMap((isKnown, word) => (isKnown ? [] : word)).join(' ');
});

/** The words without a word vector. */
export const unknownWords = computed(() => (unknownList.value ? new Set(unknownList.value.split(' ').map(Number)) : none));

/** Number of dimensions of a stripe; 0 for a bias, whose columns are words. */
export const dimensions = computed(() => {
  const shown = figure.value;
  return shown && shown.addition.kind !== 'bias' ? (addedNumbers(shown)?.grid.columns ?? 0) : 0;
});

/** The font size: a short sentence fills the page, a long text scrolls in its box. */
export function sizeOf(tokens: readonly string[]): string {
  const letters = tokens.join(' ').length;
  if (tokens.length <= 9 && letters <= 56) return 'large';
  if (tokens.length <= 40) return 'medium';
  return tokens.length <= 120 ? 'small' : 'tiny';
}
