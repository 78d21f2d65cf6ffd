// The space of the sentence on its page: the size of labels, and the visible lines of a long text.
import type { Box } from '../../../charts/picture.ts';

/** The font size of labels, px, which is larger when presented, as is the height of the figure. */
export const labelSize = (element: Element): number | undefined =>
  Number.parseFloat(getComputedStyle(element).getPropertyValue('--sentence-labels')) || undefined;

/** Scrolls a long text to a word outside the visible area, with some lines before it. */
export function keepInSight(stage: Element, word: Box | undefined): void {
  const height = stage.clientHeight;
  if (word && word.y + word.height > height) stage.scrollTop = word.y - height / 3;
}
