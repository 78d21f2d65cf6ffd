import { compileFrom, type Platform, packagedFile } from './platform.ts';

export const browser: Platform = {
  fileOf: packagedFile,

  addressOf: (text) => new URL(text, globalThis.location?.href),
  compile: compileFrom,

  cores: () => navigator.hardwareConcurrency || 1,

  // A blob URL works with every bundler, in a plain script and in a file opened from disk.
  start(source) {
    const address = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
    const worker = new Worker(address);
    URL.revokeObjectURL(address);
    return {
      post: (message, transfer) => worker.postMessage(message, transfer),
      onMessage: (listener) => worker.addEventListener('message', (event) => listener(event.data)),
      onError: (listener) => {
        worker.addEventListener('error', (event) => listener(new Error(event.message || 'it could not be started')));
        worker.addEventListener('messageerror', () => listener(new Error('its answer could not be read')));
      },
      terminate: () => worker.terminate(),
    };
  },
};
