import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { PhasorError } from './errors.ts';
import { compileFrom, notLoaded } from './fetch-wasm.ts';
import { packagedFile } from './own-files.ts';
import type { Platform } from './platform.ts';
import { compileBytes } from './wasm-bytes.ts';

// The worker script is written for browsers and uses `self`. This prelude defines it in Node.
const prelude = `
  const { parentPort } = require('node:worker_threads');
  globalThis.self = globalThis;
  globalThis.postMessage = (message, transfer) => parentPort.postMessage(message, transfer);
  globalThis.addEventListener = (type, listener) => parentPort.on(type, (data) => listener({ data }));
`;

/**
 * Where an installed package has its files, seen from the program's folder: a bundler may have moved this module away from them, or given
 * them addresses of a website.
 */
function installedFile(name: string): readonly URL[] {
  try {
    return [pathToFileURL(createRequire(join(process.cwd(), 'index.js')).resolve(`phasor/${name}`))];
  } catch {
    return [];
  }
}

function workerFrom(start: () => object): Worker {
  const worker = start();
  if (worker instanceof Worker) return worker;
  throw new PhasorError('invalid_argument', 'worker: the function did not return a Worker of node:worker_threads');
}

export const node: Platform = {
  ownFiles: (file) => [...packagedFile(file), ...installedFile(`phasor-${file}.wasm`)],

  // A single letter before a colon is a drive, not a scheme. Anything else that is not a URL is a path relative to the working directory.
  addressOf: (text) => (/^[a-z][a-z\d+.-]+:/i.test(text) ? new URL(text) : pathToFileURL(text)),

  async compile(url, timeout) {
    if (url.protocol !== 'file:') return compileFrom(url, timeout);
    const bytes = await readFile(url).catch((cause) => {
      throw notLoaded(url, (cause as { code?: string }).code === 'ENOENT' ? 'not_found' : 'fetch_failed', PhasorError.from(cause).message);
    });
    return compileBytes(bytes as Uint8Array<ArrayBuffer>, (code, why) => notLoaded(url, code, why));
  },

  cores: availableParallelism,

  start(given) {
    const worker =
      typeof given === 'function'
        ? workerFrom(given)
        : typeof given === 'string'
          ? new Worker(prelude + given, { eval: true })
          : new Worker(given);
    return {
      post: (message, transfer) => worker.postMessage(message, transfer),
      onMessage: (listener) => worker.on('message', listener),
      onError: (listener) => {
        worker.on('error', listener);
        worker.on('messageerror', listener);
        worker.on('exit', (code) => listener(new Error(`its thread ended with code ${code}`)));
      },
      terminate: () => void worker.terminate(),
    };
  },
};
