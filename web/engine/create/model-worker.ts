// Returns `openModelWorker` for a platform (browsers or Node). It opens a model in a worker.

import source from '#model-worker-source';
import type { OpenFolder } from '../model/checkpoint.ts';
import type { Platform } from '../platform/platform.ts';
import { readOptions } from '../request/options.ts';
import type { InspectModelOptions, Model, ModelFiles, OpenModelWorkerOptions } from '../types/api.ts';
import { type ModelHeaders, OPENING_OPTION_NAMES, openInEngine, readHeaders, withModelHeaders } from './opened-model.ts';
import { WORKER_OPTION_NAMES } from './option-names.ts';
import { type LoadSameThread, startDedicatedWorker } from './started.ts';

export const modelWorkerOpener = (platform: Platform, loadSameThread?: LoadSameThread, openFolder?: OpenFolder) =>
  async function openModelWorker(files: ModelFiles, options: OpenModelWorkerOptions = {}): Promise<Model> {
    const parsedOptions = readOptions(options, [...WORKER_OPTION_NAMES, ...OPENING_OPTION_NAMES]);
    return openInEngine(() => startDedicatedWorker(parsedOptions, { platform, source, loadSameThread }), files, parsedOptions, openFolder);
  };

/** Returns a function that reads model headers in a worker, for pages without the Emscripten glue code. */
export const modelHeadersReader =
  (platform: Platform) =>
  (files: ModelFiles, options: InspectModelOptions): Promise<ModelHeaders> =>
    withModelHeaders(
      () => startDedicatedWorker(options, { platform, source, loadSameThread: undefined }),
      files,
      options,
      undefined,
      readHeaders,
    );
