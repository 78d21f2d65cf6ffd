// The service worker: caches the whole site in the browser, and responds from the cache. It is a separate program that
// scripts/site/installable.mjs builds with the list of the site's files; no page imports it.
import { clientsClaim, type WorkboxPlugin } from 'workbox-core';
import { ExpirationPlugin } from 'workbox-expiration';
import { cleanupOutdatedCaches, type PrecacheEntry, precacheAndRoute } from 'workbox-precaching';
import { registerRoute } from 'workbox-routing';
import { CacheFirst } from 'workbox-strategies';

/** The files of the site. Files whose names contain no hash have a revision, which is a hash of the content. */
declare const SITE_FILES: PrecacheEntry[];
declare const self: { skipWaiting(): Promise<void> };

// A new worker waits until the reader requests the new version (site-copy.ts).
addEventListener('message', ({ data }) => {
  if (data?.type === 'SKIP_WAITING') void self.skipWaiting();
});
clientsClaim();
// The content of a page does not depend on its query.
precacheAndRoute(SITE_FILES, { ignoreURLParametersMatching: [/./] });
cleanupOutdatedCaches();
// Trained models are cached after use, because a reader needs only one or none; their names contain a hash.
const modelExpiration = new ExpirationPlugin({ maxEntries: 50 }) as WorkboxPlugin;
registerRoute(/\/models\/[^/]+\.safetensors$/, new CacheFirst({ cacheName: 'models', plugins: [modelExpiration] }));
