import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { compileFrom, notLoaded, type Platform, packagedFile } from './platform.ts';

// The worker script is written for browsers and uses `self`. This prelude defines it in Node.
const prelude = `
  const { parentPort } = require('node:worker_threads');
  globalThis.self = globalThis;
  globalThis.postMessage = (message, transfer) => parentPort.postMessage(message, transfer);
  globalThis.addEventListener = (type, listener) => parentPort.on(type, (data) => listener({ data }));
`;

export const node: Platform = {
  fileOf: packagedFile,

  // A single letter before a colon is a drive, not a scheme. Anything else that is not a URL is a path relative to the working directory.
  addressOf: (text) => (/^[a-z][a-z\d+.-]+:/i.test(text) ? new URL(text) : pathToFileURL(text)),

  async compile(url) {
    if (url.protocol !== 'file:') return compileFrom(url);
    const bytes = await readFile(url).catch((cause) => {
      throw notLoaded(url, cause);
    });
    return WebAssembly.compile(bytes);
  },

  cores: availableParallelism,

  start(source) {
    const worker = new Worker(prelude + source, { eval: true });
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
