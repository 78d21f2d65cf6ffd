// phasor/model for browsers and bundlers: published models, read and run on this thread or in a worker.

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
  advice: 'pass wasm',
};
const sameThread = () => import('./worker/model-same-thread.ts');

/**
 * Reads config.json and the headers of the weight files, and returns the properties of the model and the memory that it needs.
 * @throws {PhasorError} as a rejection: as `openModel`
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
 * The metadata of a GGUF file by name, such as the vocabulary of its tokenizer: numbers, strings, booleans, and lists of these.
 * @throws {PhasorError} as a rejection: as `openModel`, and `invalid_argument` for other files
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
 * Opens a published model on the calling thread, and yields to the event loop between chunks of its files and between generated tokens.
 * `files` are those of a Hugging Face checkpoint: config.json and model.safetensors, or several files with model.safetensors.index.json; or
 * one GGUF file.
 * @throws {PhasorError} as a rejection: as `createPhasor`; `invalid_argument` and `unknown_name` for an unsupported model, config keys that have no
 * effect, and files of several models; `not_found` and `truncated` for a file that is missing, truncated or deleted;
 * `resource_exhausted` for a model that does not fit in 4 GiB of memory; `cancelled` if the signal is aborted
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
 * @throws {PhasorError} as a rejection: as `openModel`, and `worker_unavailable` or `blocked_by_csp` if no worker can be started and
 * `fallback` is not set
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
