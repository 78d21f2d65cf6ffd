// Lets the static text of the page be painted before the page's script runs, which a cached script would precede.
import { keepCopySoon } from '../service-worker/soon.ts';
import { firstPaint } from './page/first-paint.ts';
import { showTheme, storedTheme } from './page/theme.ts';

showTheme(storedTheme());

// A link may have another sentence than the static text. The module that reads links is loaded in parallel.
if (location.hash === '') await firstPaint();
else void import('./page/address.ts').catch(() => {});
await import('./site.ts').catch((thrown: unknown) => {
  console.error(thrown);
  // The page has a message for that (scripts/site/not-loaded.mjs).
  dispatchEvent(new Event('phasor-not-loaded'));
});
keepCopySoon();
