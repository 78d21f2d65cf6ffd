// Opens language models in workers. Their WebAssembly file is compiled only once.
import { modelHeadersReader, modelWorkerOpener } from '../../engine/create/model-worker.ts';
import { compileFile, compileFirst, DEFAULT_TIMEOUT_MS } from '../../engine/load/compile.ts';
import { checkWebAssembly } from '../../engine/load/simd.ts';
import { browser } from '../../engine/platform/browser.ts';
import type { Platform } from '../../engine/platform/platform.ts';
import { openTokenizerWorker } from '../../tokenizer/worker-tokenizer.ts';
import { createLanguageModelOpener } from './open-language-model.ts';

/** @param getFiles returns the bytes or the URL of phasor-model.wasm; called when the first model is opened */
export function createWorkerModelOpener(
  getFiles: () => ReturnType<Platform['packageFiles']> | Promise<ReturnType<Platform['packageFiles']>>,
) {
  // `packageFiles` is empty, because every worker receives the compiled module.
  const platform: Platform = { ...browser, program: 'phasor-model', packageFiles: () => [] };
  const openModel = modelWorkerOpener(platform);
  const readHeaders = modelHeadersReader(platform);
  let compiledModule: Promise<WebAssembly.Module> | undefined;

  /** Compiles the file without relaxed SIMD, so that results are bitwise identical on all machines. */
  async function compileOnce(): Promise<{ readonly wasm: WebAssembly.Module; readonly variant: 'simd' }> {
    checkWebAssembly();
    compiledModule ??= (async () => compileFirst(await getFiles(), (source) => compileFile(source, DEFAULT_TIMEOUT_MS, platform)))().catch(
      (thrown: unknown) => {
        // Allows the next call to retry.
        compiledModule = undefined;
        throw thrown;
      },
    );
    return { wasm: await compiledModule, variant: 'simd' };
  }

  return createLanguageModelOpener({
    readHeaders: async (files, options) => readHeaders(files, { ...options, ...(await compileOnce()) }),
    openModelWorker: async (files, options) => openModel(files, { ...options, ...(await compileOnce()) }),
    openTokenizer: openTokenizerWorker,
  });
}
