// Starts the page after its static text is painted. Otherwise, a cached script could delay the first paint.
import { scheduleCopy } from '../service-worker/soon.ts';
import { waitForFirstPaint } from './page/first-paint.ts';
import { applyTheme, readStoredTheme } from './page/theme.ts';

applyTheme(readStoredTheme());

// Does not wait for the static text if the URL contains a link, because the link may set another sentence. The module that parses links is
// loaded in parallel.
if (location.hash === '') await waitForFirstPaint();
else void import('./page/address.ts').catch(() => {});
await import('./site.ts').catch((thrown: unknown) => {
  console.error(thrown);
  // Makes the page show an error message (scripts/site/not-loaded.mjs).
  dispatchEvent(new Event('phasor-not-loaded'));
});
scheduleCopy();
