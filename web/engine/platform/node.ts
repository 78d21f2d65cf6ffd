import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker, type WorkerOptions } from 'node:worker_threads';
import { argumentError, PhasorError } from '../errors.ts';
import { compileUrl, notLoadedError } from '../load/fetch-wasm.ts';
import { compileBytes } from '../load/wasm-bytes.ts';
import { locatePackagedFile } from '../package-files.ts';
import type { Platform } from './platform.ts';

/**
 * Defines the browser globals that the worker script uses. Depending on flags such as `--input-type=module`, Node runs the text as a
 * CommonJS script or as a module; `import()` works in both.
 */
const withSelf = (script: string): string => `import('node:worker_threads').then(({ parentPort }) => {
globalThis.self = globalThis;
globalThis.postMessage = (message, transfer) => parentPort.postMessage(message, transfer);
globalThis.addEventListener = (type, listener) => parentPort.on(type, (data) => listener({ data }));
${script}
});`;

/** Node cannot run a script file in a thread that inherits `--input-type`. If that flag is set, the thread inherits no flags. */
const createFileThreadOptions = (): WorkerOptions =>
  process.execArgv.some((flag) => flag.startsWith('--input-type')) ? { execArgv: [] } : {};

/**
 * Returns the URL of a file in the installed package, resolved from the working directory, or an empty list if the package is not found.
 * Bundled programs need this, because the file is not next to their script.
 */
export function locateInstalledFile(name: string): readonly URL[] {
  try {
    return [pathToFileURL(createRequire(join(process.cwd(), 'index.js')).resolve(`phasor/${name}`))];
  } catch {
    return [];
  }
}

function callWorkerFunction(startWorker: () => object): Worker {
  const worker = startWorker();
  if (worker instanceof Worker) return worker;
  throw argumentError('worker', 'the function did not return a Worker of node:worker_threads');
}

export const node: Platform = {
  program: 'phasor',
  packageFiles: () => [...locatePackagedFile(), ...locateInstalledFile('phasor.wasm')],

  // A single letter before a colon is a drive, not a scheme. Any other text that is not a URL is a path relative to the working directory.
  resolveUrl: (text) => (/^[a-z][a-z\d+.-]+:/i.test(text) ? new URL(text) : pathToFileURL(text)),

  async compile(url, timeout) {
    if (url.protocol !== 'file:') return compileUrl(url, timeout);
    const bytes = await readFile(url).catch((cause) => {
      throw notLoadedError(
        url,
        (cause as { code?: string }).code === 'ENOENT' ? 'not_found' : 'fetch_failed',
        PhasorError.from(cause).message,
      );
    });
    return compileBytes(bytes as Uint8Array<ArrayBuffer>, (code, why) => notLoadedError(url, code, why));
  },

  countCores: availableParallelism,

  start(providedWorker) {
    const worker =
      typeof providedWorker === 'function'
        ? callWorkerFunction(providedWorker)
        : typeof providedWorker === 'string'
          ? new Worker(withSelf(providedWorker), { eval: true })
          : new Worker(providedWorker, createFileThreadOptions());
    return {
      post: (message, transfer) => worker.postMessage(message, transfer),
      onMessage: (listener) => worker.on('message', listener),
      onError: (listener) => {
        worker.on('error', listener);
        worker.on('messageerror', listener);
        worker.on('exit', (code) => listener(new Error(`the thread exited with code ${code}`)));
      },
      terminate: () => void worker.terminate(),
    };
  },
};
