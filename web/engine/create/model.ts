// Returns the functions that inspect and open models on the calling thread, for a platform (browsers or Node).

import createModule from '#glue-model';
import { compileWasm } from '../load/wasm-option.ts';
import type { OpenFolder } from '../model/checkpoint.ts';
import type { Platform } from '../platform/platform.ts';
import { readOptions } from '../request/options.ts';
import type { InspectModelOptions, Model, ModelFiles, ModelInfo, OpenModelOptions, PhasorOptions } from '../types/api.ts';
import { INSPECTION_OPTION_NAMES, OPENING_OPTION_NAMES, openInEngine, readMetadata, withModelHeaders } from './opened-model.ts';
import { PHASOR_OPTION_NAMES } from './option-names.ts';
import { createDedicatedEngine } from './own-engine.ts';

const createEngine = async (options: PhasorOptions, platform: Platform) =>
  createDedicatedEngine(await compileWasm(options, platform), createModule);

export const modelOpener = (platform: Platform, openFolder?: OpenFolder) =>
  async function openModel(files: ModelFiles, options: OpenModelOptions = {}): Promise<Model> {
    const parsedOptions = readOptions(options, [...PHASOR_OPTION_NAMES, ...OPENING_OPTION_NAMES]);
    return openInEngine(() => createEngine(parsedOptions, platform), files, parsedOptions, openFolder);
  };

export const modelInspector = (platform: Platform, openFolder?: OpenFolder) =>
  async function inspectModel(files: ModelFiles, options: InspectModelOptions = {}): Promise<ModelInfo> {
    const parsedOptions = readOptions(options, [...PHASOR_OPTION_NAMES, ...INSPECTION_OPTION_NAMES]);
    return withModelHeaders(
      () => createEngine(parsedOptions, platform),
      files,
      parsedOptions,
      openFolder,
      (info) => info,
    );
  };

export const ggufReader = (platform: Platform, openFolder?: OpenFolder) =>
  async function readGgufMetadata(files: ModelFiles, options: PhasorOptions = {}): Promise<ReadonlyMap<string, unknown>> {
    const parsedOptions = readOptions(options, PHASOR_OPTION_NAMES);
    return withModelHeaders(() => createEngine(parsedOptions, platform), files, parsedOptions, openFolder, readMetadata);
  };
