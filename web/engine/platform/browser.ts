import { argumentError } from '../errors.ts';
import { compileUrl } from '../load/fetch-wasm.ts';
import { policyError, watchPolicy } from '../load/policy.ts';
import { locatePackagedFile, resolveOptimizedUrl } from '../package-files.ts';
import type { Platform } from './platform.ts';
import { trustedTypesPolicy } from './trusted-types.ts';

/** Starts a worker. Pages that require Trusted Types accept only a URL from a policy. */
const startUrlWorker = (url: string | URL): Worker => new Worker(trustedTypesPolicy()?.createScriptURL(String(url)) ?? url);

// Starts a worker from a blob URL, which works with every bundler, in a classic script and in a file opened from disk.
function startTextWorker(source: string): Worker {
  const blobUrl = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
  const worker = startUrlWorker(blobUrl);
  URL.revokeObjectURL(blobUrl);
  return worker;
}

/** Starts a worker from a file. A worker must have the origin of the page, but it may import a script of another origin. */
const startFileWorker = (url: URL): Worker =>
  /^http/.test(url.protocol) && url.origin !== location.origin
    ? startTextWorker(`importScripts(${JSON.stringify(url.href)})`)
    : startUrlWorker(url);

function callWorkerFunction(startWorker: () => object): Worker {
  const worker = startWorker();
  if (worker instanceof Worker) return worker;
  throw argumentError('worker', 'the function did not return a Worker');
}

/** The URLs to try for each file: first the original one, if a bundler has moved the module. */
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
