// The service worker: caches the whole site in the browser, and responds from the cache. It is a separate program, which no page imports;
// scripts/site/installable.mjs builds it, and says which files the site has.
import { clientsClaim, type WorkboxPlugin } from 'workbox-core';
import { ExpirationPlugin } from 'workbox-expiration';
import { cleanupOutdatedCaches, type PrecacheEntry, precacheAndRoute } from 'workbox-precaching';
import { registerRoute } from 'workbox-routing';
import { CacheFirst } from 'workbox-strategies';

/** The files of the site. A revision is that of the content, where the name does not say it. */
declare const SITE_FILES: PrecacheEntry[];
declare const self: { skipWaiting(): Promise<void> };

// The reader requests the new version (site-copy.ts); until then a new worker waits.
addEventListener('message', ({ data }) => {
  if (data?.type === 'SKIP_WAITING') void self.skipWaiting();
});
clientsClaim();
// No page has another content for another query.
precacheAndRoute(SITE_FILES, { ignoreURLParametersMatching: [/./] });
cleanupOutdatedCaches();
// Trained models, of which a reader needs one or none, are kept once one was used; the hash in their names says which is which.
const newest = new ExpirationPlugin({ maxEntries: 50 }) as WorkboxPlugin;
registerRoute(/\/models\/[^/]+\.safetensors$/, new CacheFirst({ cacheName: 'models', plugins: [newest] }));
