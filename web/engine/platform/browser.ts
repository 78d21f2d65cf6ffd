import { argumentError } from '../errors.ts';
import { compileUrl } from '../load/fetch-wasm.ts';
import { policyError, watchPolicy } from '../load/policy.ts';
import { locatePackagedFile, resolveOptimizedUrl } from '../package-files.ts';
import type { Platform } from './platform.ts';
import { trustedTypesPolicy } from './trusted-types.ts';

/** Starts a worker from a URL. On pages that require Trusted Types, the URL must come from a policy. */
const startUrlWorker = (url: string | URL): Worker => new Worker(trustedTypesPolicy()?.createScriptURL(String(url)) ?? url);

// Starts a worker from its source text, through a blob URL. This works with every bundler, in classic scripts, and on pages opened from
// disk.
function startTextWorker(source: string): Worker {
  const blobUrl = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
  const worker = startUrlWorker(blobUrl);
  URL.revokeObjectURL(blobUrl);
  return worker;
}

/**
 * Starts a worker from the URL of its script. Workers must have the same origin as the page, so a cross-origin script is imported by a
 * worker with a blob URL.
 */
const startFileWorker = (url: URL): Worker =>
  /^http/.test(url.protocol) && url.origin !== location.origin
    ? startTextWorker(`importScripts(${JSON.stringify(url.href)})`)
    : startUrlWorker(url);

function callWorkerFunction(startWorker: () => object): Worker {
  const worker = startWorker();
  if (worker instanceof Worker) return worker;
  throw argumentError('worker', 'the function did not return a Worker');
}

/** Lists the URLs to try. If a bundler has moved the module, each file's original URL comes before its current one. */
export const listCandidateUrls = (urls: readonly URL[]): URL[] =>
  urls.flatMap((url) => {
    const originalUrl = resolveOptimizedUrl(url);
    return originalUrl === url ? [url] : [originalUrl, url];
  });

export const browser: Platform = {
  program: 'phasor',
  packageFiles: () => listCandidateUrls(locatePackagedFile()),

  resolveUrl: (text) => new URL(text, globalThis.location?.href),
  compile: compileUrl,

  countCores: () => navigator.hardwareConcurrency || 1,

  start(providedWorker) {
    const policyWatch = watchPolicy();
    const worker =
      typeof providedWorker === 'function'
        ? callWorkerFunction(providedWorker)
        : typeof providedWorker === 'string'
          ? startTextWorker(providedWorker)
          : startFileWorker(providedWorker);
    worker.addEventListener('message', policyWatch.stop, { once: true });
    return {
      post: (message, transfer) => worker.postMessage(message, transfer),
      onMessage: (listener) => worker.addEventListener('message', (event) => listener(event.data)),
      onError: (listener) => {
        worker.addEventListener('error', async ({ message }) => {
          const directive = message ? undefined : await policyWatch.directive(() => true);
          policyWatch.stop();
          const advice = 'the policy must allow blob: URLs, or the option worker must be set';
          listener(directive ? policyError('worker', directive, advice) : new Error(message || 'the browser reported no reason'));
        });
        worker.addEventListener('messageerror', () => listener(new Error('a response could not be read')));
      },
      terminate: () => {
        policyWatch.stop();
        worker.terminate();
      },
    };
  },
};
