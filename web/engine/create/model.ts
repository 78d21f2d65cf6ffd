// The functions that inspect and open models on the calling thread, for one platform.

import createModule from '#glue-model';
import { compileOption } from '../load/wasm-option.ts';
import { type Checkpoint, type OpenFolder, withCheckpoint } from '../model/checkpoint.ts';
import { metadataOf } from '../model/gguf-metadata.ts';
import { type ModelEngine, readInto } from '../model/open.ts';
import type { Platform } from '../platform/platform.ts';
import { flatRequest } from '../request/flat-request.ts';
import { readOptions } from '../request/options.ts';
import type { InspectModelOptions, Model, ModelFiles, ModelInfo, OpenModelOptions, PhasorOptions, ReadableFile } from '../types/api.ts';
import { INSPECTION_OPTION_NAMES, OPENING_OPTION_NAMES, openedModel } from './opened-model.ts';
import { PHASOR_OPTION_NAMES } from './option-names.ts';
import { ownEngine } from './own-engine.ts';

const engineOf = async (options: PhasorOptions, platform: Platform) => ownEngine(await compileOption(options, platform), createModule);

export const modelOpener = (platform: Platform, openFolder?: OpenFolder) =>
  async function openModel(files: ModelFiles, options: OpenModelOptions = {}): Promise<Model> {
    const provided = readOptions(options, [...PHASOR_OPTION_NAMES, ...OPENING_OPTION_NAMES]);
    return openedModel(() => engineOf(provided, platform), files, provided, openFolder);
  };

/** Reads the headers, and calls `use` with the engine that has them. */
async function inspected<T>(
  files: ModelFiles,
  { config, signal, ...options }: InspectModelOptions,
  platform: Platform,
  openFolder: OpenFolder | undefined,
  use: (info: ModelInfo, engine: ModelEngine, checkpoint: Checkpoint) => T | Promise<T>,
): Promise<T> {
  return withCheckpoint(files, config, openFolder, async (checkpoint) => {
    const engine = await engineOf(options, platform);
    try {
      return await use(await readInto(engine, checkpoint, { signal, isInspection: true }), engine, checkpoint);
    } finally {
      engine.end();
    }
  });
}

export const modelInspector = (platform: Platform, openFolder?: OpenFolder) =>
  async function inspectModel(files: ModelFiles, options: InspectModelOptions = {}): Promise<ModelInfo> {
    const provided = readOptions(options, [...PHASOR_OPTION_NAMES, ...INSPECTION_OPTION_NAMES]);
    return inspected(files, provided, platform, openFolder, (info) => info);
  };

export const ggufReader = (platform: Platform, openFolder?: OpenFolder) =>
  async function readGgufMetadata(files: ModelFiles, options: PhasorOptions = {}): Promise<ReadonlyMap<string, unknown>> {
    const provided = readOptions(options, PHASOR_OPTION_NAMES);
    return inspected(files, provided, platform, openFolder, async (_info, engine, { weights: [file] }) => {
      const raw = await engine.call('ggufMetadata', flatRequest('ggufMetadata', {}));
      return metadataOf(file as ReadableFile, raw as { readonly [name: string]: unknown });
    });
  };
