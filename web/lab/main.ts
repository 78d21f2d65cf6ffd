// Shows the words that stand in the page before the page's own script runs: where that comes from a cache it would be first.
import { showTheme, storedTheme } from './theme-choice.ts';

/** Longer than this nobody waits for a frame, ms: a page in the background has none. */
const PATIENCE = 100;

/** Settled when a frame has been drawn. */
const drawn = (): Promise<void> =>
  new Promise((resolve) => {
    // Before the frame is drawn; a task after it comes when it is.
    requestAnimationFrame(() => setTimeout(resolve));
    setTimeout(resolve, PATIENCE);
  });

showTheme(storedTheme());

// A link has a sentence of its own: the words in the page are not what it shows.
if (location.hash === '') await drawn();
await import('./site.ts');
