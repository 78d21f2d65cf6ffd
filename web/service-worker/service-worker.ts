// The service worker: caches the whole site in the browser, and responds from the cache. It is a separate program that
// scripts/site/installable.mjs builds with the list of the site's files; no page imports it.
import { clientsClaim, type WorkboxPlugin } from 'workbox-core';
import { ExpirationPlugin } from 'workbox-expiration';
import { cleanupOutdatedCaches, type PrecacheEntry, precacheAndRoute } from 'workbox-precaching';
import { registerRoute } from 'workbox-routing';
import { CacheFirst } from 'workbox-strategies';

/** The files of the site. If the name of a file contains no hash, its revision is a hash of its content. */
declare const SITE_FILES: PrecacheEntry[];
declare const self: { skipWaiting(): Promise<void> };

// A new worker waits until the user chooses to load the new version (site-copy.ts).
addEventListener('message', ({ data }) => {
  if (data?.type === 'SKIP_WAITING') void self.skipWaiting();
});
clientsClaim();
// Query parameters do not change the content of a page.
precacheAndRoute(SITE_FILES, { ignoreURLParametersMatching: [/./] });
cleanupOutdatedCaches();
// Trained models are cached on first use, because a user needs few of them. Their file names contain a hash.
const modelExpiration = new ExpirationPlugin({ maxEntries: 50 }) as WorkboxPlugin;
registerRoute(/\/models\/[^/]+\.safetensors$/, new CacheFirst({ cacheName: 'models', plugins: [modelExpiration] }));
