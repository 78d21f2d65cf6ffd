// Entry point of phasor/model in Node. Models are read from a folder or from files, and run on the calling thread or in a worker thread.
// The package's type declarations come from model.ts.

import { ggufReader, modelInspector, modelOpener } from './create/model.ts';
import { modelWorkerOpener } from './create/model-worker.ts';
import { openFolder } from './model/folder.node.ts';
import { locateModelFile } from './package-model-files.ts';
import { locateInstalledFile, node } from './platform/node.ts';
import type { Platform } from './platform/platform.ts';

export * from './shared-exports.ts';

const platform: Platform = {
  ...node,
  program: 'phasor-model',
  packageFiles: () => [...locateModelFile(), ...locateInstalledFile('phasor-model.wasm')],
  advice: 'pass the option wasm',
};
const sameThread = () => import('./worker/model-same-thread.ts');

/** Reads config.json and the headers of the weight files, and returns the properties of the model and the memory that it needs. */
export const inspectModel = /* @__PURE__ */ modelInspector(platform, openFolder);

/**
 * Returns the metadata of a GGUF file, such as the vocabulary of its tokenizer. Values are numbers, strings, booleans, and lists of these.
 */
export const readGgufMetadata = /* @__PURE__ */ ggufReader(platform, openFolder);

/** Opens a published model on the calling thread. `files` is the path of a folder or of a GGUF file, or a list of files. */
export const openModel = /* @__PURE__ */ modelOpener(platform, openFolder);

/** Opens a published model in a separate worker thread. Call `dispose()` to terminate it; until then it keeps the process alive. */
export const openModelWorker = /* @__PURE__ */ modelWorkerOpener(platform, sameThread, openFolder);
