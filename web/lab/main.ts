// Waits until the static text of the page is painted. A cached script could otherwise run earlier and delay the first
// paint.
import { scheduleCopy } from '../service-worker/soon.ts';
import { waitForFirstPaint } from './page/first-paint.ts';
import { applyTheme, readStoredTheme } from './page/theme.ts';

applyTheme(readStoredTheme());

// A link may contain a sentence other than the static text. The module that parses links is loaded in parallel.
if (location.hash === '') await waitForFirstPaint();
else void import('./page/address.ts').catch(() => {});
await import('./site.ts').catch((thrown: unknown) => {
  console.error(thrown);
  // On this event, the page shows a message (scripts/site/not-loaded.mjs).
  dispatchEvent(new Event('phasor-not-loaded'));
});
scheduleCopy();
