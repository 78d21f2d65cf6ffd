// The room of the sentence on its page: how large labels are, and which lines of a long text are seen.
import type { Box } from '../../../charts/picture.ts';

/** A presented page sets larger labels, px, when it sets another height of the figure. */
export const labelSize = (element: Element): number | undefined =>
  Number.parseFloat(getComputedStyle(element).getPropertyValue('--sentence-labels')) || undefined;

/** Scrolls a long text to a word that would be out of sight, with lines before it. */
export function keepInSight(stage: Element, word: Box | undefined): void {
  const height = stage.clientHeight;
  if (word && word.y + word.height > height) stage.scrollTop = word.y - height / 3;
}
