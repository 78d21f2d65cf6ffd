// Opens a model in an engine on any thread. Separate from model.ts, so that pages that open models in a worker do not bundle the Emscripten glue
// code.

import { type Checkpoint, type OpenFolder, withCheckpoint } from '../model/checkpoint.ts';
import { readLists } from '../model/gguf-metadata.ts';
import { createModelFromEngine } from '../model/model.ts';
import { loadModelFiles, type ModelEngine } from '../model/open.ts';
import { checkTokenizer } from '../model/tokens.ts';
import { serializeRequest } from '../request/flat-request.ts';
import type { InspectModelOptions, Model, ModelFiles, ModelInfo, OpenModelOptions, ReadableFile } from '../types/api.ts';

/** Names of the fields that InspectModelOptions adds to PhasorOptions. */
export const INSPECTION_OPTION_NAMES = ['config', 'signal'] as const;
export const OPENING_OPTION_NAMES = [...INSPECTION_OPTION_NAMES, 'onProgress', 'tokenizer'] as const;

/** Opens model files in a new engine. Ends the engine if opening fails. */
export async function openInEngine(
  startEngine: () => Promise<ModelEngine>,
  files: ModelFiles,
  { config, tokenizer, onProgress, signal }: OpenModelOptions,
  openFolder: OpenFolder | undefined,
): Promise<Model> {
  checkTokenizer(tokenizer);
  return withCheckpoint(files, config, openFolder, async (checkpoint) => {
    const engine = await startEngine();
    try {
      return createModelFromEngine(engine, await loadModelFiles(engine, checkpoint, { onProgress, signal }), tokenizer ?? undefined);
    } catch (thrown) {
      engine.end();
      throw thrown;
    }
  });
}

/** Reads the headers of model files in a new engine, passes the result and the engine to `use`, and then terminates the engine. */
export const withModelHeaders = <T>(
  startEngine: () => Promise<ModelEngine>,
  files: ModelFiles,
  { config, signal }: InspectModelOptions,
  openFolder: OpenFolder | undefined,
  use: (info: ModelInfo, engine: ModelEngine, checkpoint: Checkpoint) => T | Promise<T>,
): Promise<T> =>
  withCheckpoint(files, config, openFolder, async (checkpoint) => {
    const engine = await startEngine();
    try {
      return await use(await loadModelFiles(engine, checkpoint, { signal, stopsAfterHeaders: true }), engine, checkpoint);
    } finally {
      engine.end();
    }
  });

/** Returns the metadata of the GGUF file whose headers were read. Each array is represented by its location in the file. */
const readRawMetadata = async (engine: ModelEngine): Promise<{ readonly [name: string]: unknown }> =>
  (await engine.call('ggufMetadata', serializeRequest('ggufMetadata', {}))) as { readonly [name: string]: unknown };

export const readMetadata = async (
  _: ModelInfo,
  engine: ModelEngine,
  { weights: [file] }: Checkpoint,
): Promise<ReadonlyMap<string, unknown>> => readLists(file as ReadableFile, await readRawMetadata(engine));

export interface ModelHeaders {
  readonly info: ModelInfo;
  /** Total size of the weight files in bytes. */
  readonly fileBytes: number;
  /** The metadata of a GGUF file. Each array is represented by its location in the file. */
  readonly metadata?: { readonly [name: string]: unknown } | undefined;
}

export const readHeaders = async (info: ModelInfo, engine: ModelEngine, { config, weights }: Checkpoint): Promise<ModelHeaders> => ({
  info,
  fileBytes: weights.reduce((sum, { size }) => sum + size, 0),
  metadata: config === undefined ? await readRawMetadata(engine) : undefined,
});
