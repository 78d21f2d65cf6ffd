// The function that opens a model in a worker, for one platform.

import source from '#model-worker-source';
import type { OpenFolder } from '../model/checkpoint.ts';
import type { Platform } from '../platform/platform.ts';
import { readOptions } from '../request/options.ts';
import type { InspectModelOptions, Model, ModelFiles, ModelInfo, OpenModelWorkerOptions } from '../types/api.ts';
import { ggufMetadata, inspectedModel, OPENING_OPTION_NAMES, openedModel } from './opened-model.ts';
import { WORKER_OPTION_NAMES } from './option-names.ts';
import { ownWorker, type SameThread } from './started.ts';

export const modelWorkerOpener = (platform: Platform, sameThread?: SameThread, openFolder?: OpenFolder) =>
  async function openModelWorker(files: ModelFiles, options: OpenModelWorkerOptions = {}): Promise<Model> {
    const provided = readOptions(options, [...WORKER_OPTION_NAMES, ...OPENING_OPTION_NAMES]);
    return openedModel(() => ownWorker(provided, { platform, source, sameThread }), files, provided, openFolder);
  };

/** `inspectModel` and `readGgufMetadata` in a worker, for pages that do not contain the glue. */
export const modelWorkerReader = (platform: Platform) => {
  const start = (options: InspectModelOptions) => ownWorker(options, { platform, source, sameThread: undefined });
  return {
    inspectModel: (files: ModelFiles, options: InspectModelOptions): Promise<ModelInfo> =>
      inspectedModel(
        () => start(options),
        files,
        options,
        undefined,
        (info) => info,
      ),
    readGgufMetadata: (files: ModelFiles, options: InspectModelOptions): Promise<ReadonlyMap<string, unknown>> =>
      inspectedModel(() => start(options), files, options, undefined, ggufMetadata),
  };
};
