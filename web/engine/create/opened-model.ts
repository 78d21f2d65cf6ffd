// Opens a model in an engine of any thread. Apart from model.ts, so that a page with its models in a worker does not contain the glue.

import { type OpenFolder, withCheckpoint } from '../model/checkpoint.ts';
import { modelIn } from '../model/model.ts';
import { type ModelEngine, readInto } from '../model/open.ts';
import { checkTokenizer } from '../model/tokens.ts';
import type { Model, ModelFiles, OpenModelOptions } from '../types/api.ts';

/** The names of InspectModelOptions beside those of PhasorOptions. */
export const INSPECTION_OPTION_NAMES = ['config', 'signal'] as const;
/** Those of OpenModelOptions. */
export const OPENING_OPTION_NAMES = [...INSPECTION_OPTION_NAMES, 'onProgress', 'tokenizer'] as const;

/** Opens the files in a new engine, which is ended on failure. */
export async function openedModel(
  start: () => Promise<ModelEngine>,
  files: ModelFiles,
  { config, tokenizer, onProgress, signal }: OpenModelOptions,
  openFolder: OpenFolder | undefined,
): Promise<Model> {
  checkTokenizer(tokenizer);
  return withCheckpoint(files, config, openFolder, async (checkpoint) => {
    const engine = await start();
    try {
      return modelIn(engine, await readInto(engine, checkpoint, { onProgress, signal }), tokenizer ?? undefined);
    } catch (thrown) {
      engine.end();
      throw thrown;
    }
  });
}
