// Language models of the website: a WebAssembly file and a worker's script that are loaded with the first model, and compiled once.
import file from '../../../build/wasm/phasor-model.wasm?url';
import { modelHeadersReader, modelWorkerOpener } from '../../engine/create/model-worker.ts';
import { compileFile, firstModule, WAIT } from '../../engine/load/compile.ts';
import { checkWebAssembly } from '../../engine/load/simd.ts';
import { browser } from '../../engine/platform/browser.ts';
import type { Platform } from '../../engine/platform/platform.ts';
import type { FileLike } from '../../engine/types/model-files.ts';
import { openTokenizerWorker } from '../../tokenizer/worker-tokenizer.ts';
import type { OpenHooks } from './language-models.ts';
import { languageModelOpener } from './open-language-model.ts';
import { SHIPPED, shippedFiles } from './shipped-language-model.ts';

const platform: Platform = { ...browser, program: 'phasor-model', ownFiles: () => [new URL(file, document.baseURI)] };
const open = modelWorkerOpener(platform);
const readHeaders = modelHeadersReader(platform);

let module: Promise<WebAssembly.Module> | undefined;

/** Without relaxed SIMD, so that pictures are bitwise equal on every machine. */
async function compiled(): Promise<{ readonly wasm: WebAssembly.Module; readonly variant: 'simd' }> {
  checkWebAssembly();
  module ??= firstModule(platform.ownFiles(), (source) => compileFile(source, WAIT, platform)).catch((thrown: unknown) => {
    // The next call tries again.
    module = undefined;
    throw thrown;
  });
  return { wasm: await module, variant: 'simd' };
}

const openLanguageModel = languageModelOpener({
  readHeaders: async (files, options) => readHeaders(files, { ...options, ...(await compiled()) }),
  openModelWorker: async (files, options) => open(files, { ...options, ...(await compiled()) }),
  openTokenizer: openTokenizerWorker,
});

/** @param folder of the trained models */
export const openIn = async (folder: URL, files: readonly FileLike[] | undefined, hooks: OpenHooks) =>
  files ? openLanguageModel(files, hooks) : openLanguageModel(await shippedFiles(folder), hooks, SHIPPED);
