// Caches the site for offline use once the page is idle, so that the downloads do not delay the first pictures.

/** Time in ms after which the pictures of the page are assumed to be loaded. */
const DELAY_MS = 4000;

/** Schedules caching the site. Must be called once, after the page is loaded. */
export function scheduleCopy(): void {
  // The development server has no service worker.
  if (import.meta.env.DEV) return;
  // Failures are ignored, because the page also works without storage, for example in a private window.
  setTimeout(() => void import('./site-copy.ts').then(({ saveCopy }) => saveCopy()).catch(console.info), DELAY_MS);
}
