// Begins to keep the site in the browser when the page has nothing else to do: what is fetched for it must not hold up the first pictures.

/** The page's own pictures are there by then, ms. */
const PAUSE = 4000;

/** Call once, when the page has what it needs. */
export function keepCopySoon(): void {
  // While sources are served there is no worker.
  if (import.meta.env.DEV) return;
  // A browser that keeps no copy, as in a private window, shows the page all the same.
  setTimeout(() => void import('./site-copy.ts').then(({ keepCopy }) => keepCopy()).catch(console.info), PAUSE);
}
