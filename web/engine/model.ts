// Entry point of phasor/model in browsers and bundlers. Models run on the calling thread or in a worker.

import { ggufReader, modelInspector, modelOpener } from './create/model.ts';
import { modelWorkerOpener } from './create/model-worker.ts';
import { locateModelFile } from './package-model-files.ts';
import { browser, listCandidateUrls } from './platform/browser.ts';
import type { Platform } from './platform/platform.ts';
import type {
  InspectModelOptions,
  Model,
  ModelFiles,
  ModelInfo,
  OpenModelOptions,
  OpenModelWorkerOptions,
  PhasorOptions,
} from './types/api.ts';

export * from './shared-exports.ts';

const platform: Platform = {
  ...browser,
  program: 'phasor-model',
  packageFiles: () => listCandidateUrls(locateModelFile()),
  advice: 'pass the option wasm',
};
const sameThread = () => import('./worker/model-same-thread.ts');

/**
 * Reads config.json and the headers of the weight files, and returns the properties of the model and the memory that it needs.
 * @throws {PhasorError} rejects with the errors of `openModel`
 * @example
 * ```js
 * const { inspectModel } = await import('phasor/model');
 * const { modelType, layers, bytes } = await inspectModel(files);
 * modelType; // 'llama'
 * layers; // 2
 * bytes; // 88704
 * ```
 */
export const inspectModel: (files: ModelFiles, options?: InspectModelOptions) => Promise<ModelInfo> =
  /* @__PURE__ */ modelInspector(platform);

/**
 * Returns the metadata of a GGUF file, such as the vocabulary of its tokenizer. Values are numbers, strings, booleans, and lists of these.
 * @throws {PhasorError} rejects with the errors of `openModel`, and with `invalid_argument` for files of other formats
 * @example
 * ```js
 * const { readGgufMetadata } = await import('phasor/model');
 * const metadata = await readGgufMetadata(gguf);
 * metadata.get('general.architecture'); // 'qwen2'
 * ```
 */
export const readGgufMetadata: (files: ModelFiles, options?: PhasorOptions) => Promise<ReadonlyMap<string, unknown>> =
  /* @__PURE__ */ ggufReader(platform);

/**
 * Opens a published model on the calling thread. Yields to the event loop between the chunks that it reads and between generated tokens.
 * `files` is a Hugging Face checkpoint (config.json with model.safetensors, or with model.safetensors.index.json and the files that it
 * lists) or one GGUF file.
 * @throws {PhasorError} rejects with the errors of `createPhasor`; with `invalid_argument` or `unknown_name` for an unsupported model, for
 * config keys that have no effect, and for files of several models; with `not_found` or `truncated` for a file that is missing, truncated
 * or deleted; with `resource_exhausted` for a model that does not fit in 4 GiB of memory; with `cancelled` if the signal is aborted
 * @example
 * ```js
 * const { openModel } = await import('phasor/model');
 * const model = await openModel(files);
 * const { logits } = await model.run([5, 6, 7]);
 * logits.shape; // [3, 64]
 * model.dispose();
 * ```
 */
export const openModel: (files: ModelFiles, options?: OpenModelOptions) => Promise<Model> = /* @__PURE__ */ modelOpener(platform);

/**
 * Opens a published model in a separate worker, so that the page stays responsive. Call `dispose()` to terminate it; until then it keeps a
 * Node process alive.
 * @throws {PhasorError} rejects with the errors of `openModel`, and with `worker_unavailable` or `blocked_by_csp` if no worker can be
 * started and `fallback` is not set
 * @example
 * ```js
 * const { openModelWorker } = await import('phasor/model');
 * const model = await openModelWorker(files, { fallback: 'same-thread' });
 * (await model.attention([5, 6, 7], { layer: 1, head: 0 })).shape; // [1, 3, 3]
 * model.dispose();
 * ```
 */
export const openModelWorker: (files: ModelFiles, options?: OpenModelWorkerOptions) => Promise<Model> = /* @__PURE__ */ modelWorkerOpener(
  platform,
  sameThread,
);
