// The layout for the current window size, with the same breakpoints as the style sheets.
import { type ReadonlySignal, signal } from '@preact/signals-core';

function createMediaQuerySignal(media: string): ReadonlySignal<boolean> {
  const mediaQuery = matchMedia(media);
  const isMatching = signal(mediaQuery.matches);
  mediaQuery.addEventListener('change', () => {
    isMatching.value = mediaQuery.matches;
  });
  return isMatching;
}

/** Whether the layout has a single column, as on a phone. */
export const isNarrow = createMediaQuerySignal('(max-width: 860px)');
/** Whether the window is too narrow for parameters next to the figures. */
export const isStacked = createMediaQuerySignal('(max-width: 1099px)');
