// Starts storing the site when the page is idle, because its downloads must not delay the first pictures.

/** The time after which the pictures of the page are assumed to be loaded, in ms. */
const DELAY_MS = 4000;

/** Schedules storing the site. Must be called once, after the page is loaded. */
export function scheduleCopy(): void {
  // A development server has no worker.
  if (import.meta.env.DEV) return;
  // Failures are ignored: a browser without storage, as in a private window, still shows the page.
  setTimeout(() => void import('./site-copy.ts').then(({ saveCopy }) => saveCopy()).catch(console.info), DELAY_MS);
}
