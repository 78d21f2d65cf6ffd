// Waits until the page's static text is painted, because a cached script could run earlier.
import { scheduleCopy } from '../service-worker/soon.ts';
import { waitForFirstPaint } from './page/first-paint.ts';
import { applyTheme, readStoredTheme } from './page/theme.ts';

applyTheme(readStoredTheme());

// A link may contain a sentence other than the static text. The module that parses links is loaded in parallel.
if (location.hash === '') await waitForFirstPaint();
else void import('./page/address.ts').catch(() => {});
await import('./site.ts').catch((thrown: unknown) => {
  console.error(thrown);
  // The page shows a message on this event (scripts/site/not-loaded.mjs).
  dispatchEvent(new Event('phasor-not-loaded'));
});
scheduleCopy();
