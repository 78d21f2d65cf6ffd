// Opens the website's language models. The WebAssembly file and the worker script are loaded with the first model.
import file from '../../../build/wasm/phasor-model.wasm?url';
import type { FileLike } from '../../engine/types/model-files.ts';
import type { OpenHooks } from './language-models.ts';
import { fetchShippedFiles, SHIPPED_MODEL_NAME } from './shipped-language-model.ts';
import { createWorkerModelOpener } from './worker-language-model.ts';

const openLanguageModel = createWorkerModelOpener(() => [new URL(file, document.baseURI)]);

export const openSiteModel = async (folder: URL, files: readonly FileLike[] | undefined, hooks: OpenHooks) =>
  files ? openLanguageModel(files, hooks) : openLanguageModel(await fetchShippedFiles(folder), hooks, SHIPPED_MODEL_NAME);
