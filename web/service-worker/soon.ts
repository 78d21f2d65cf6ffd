// Starts storing the site when the page is idle: its downloads must not delay the first pictures.

/** The page's own pictures are loaded by then, ms. */
const PAUSE = 4000;

/** Must be called once, after the page is loaded. */
export function keepCopySoon(): void {
  // A development server has no worker.
  if (import.meta.env.DEV) return;
  // A browser without storage, as in a private window, shows the page all the same.
  setTimeout(() => void import('./site-copy.ts').then(({ keepCopy }) => keepCopy()).catch(console.info), PAUSE);
}
