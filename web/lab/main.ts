// Shows the words that are in the page before the page's own script runs: where that comes from a cache it would be first.
import { keepCopySoon } from '../service-worker/soon.ts';
import { firstPaint } from './page/first-paint.ts';
import { showTheme, storedTheme } from './page/theme.ts';

showTheme(storedTheme());

// A link may have another sentence than the words in the page. The module that reads links is fetched in parallel.
if (location.hash === '') await firstPaint();
else void import('./page/address.ts').catch(() => {});
await import('./site.ts').catch((thrown: unknown) => {
  console.error(thrown);
  // The page has a sentence for that (scripts/site/not-loaded.mjs).
  dispatchEvent(new Event('phasor-not-loaded'));
});
keepCopySoon();
