// Language models in workers, whose WebAssembly file is compiled once.
import { modelHeadersReader, modelWorkerOpener } from '../../engine/create/model-worker.ts';
import { compileFile, DEFAULT_TIMEOUT, firstModule } from '../../engine/load/compile.ts';
import { checkWebAssembly } from '../../engine/load/simd.ts';
import { browser } from '../../engine/platform/browser.ts';
import type { Platform } from '../../engine/platform/platform.ts';
import { openTokenizerWorker } from '../../tokenizer/worker-tokenizer.ts';
import { languageModelOpener } from './open-language-model.ts';

/** @param ownFiles returns the bytes or the URL of phasor-model.wasm; called for the first model */
export function workerLanguageModels(ownFiles: () => ReturnType<Platform['packageFiles']> | Promise<ReturnType<Platform['packageFiles']>>) {
  // The platform has no files, because all calls use the compiled module.
  const platform: Platform = { ...browser, program: 'phasor-model', packageFiles: () => [] };
  const open = modelWorkerOpener(platform);
  const readHeaders = modelHeadersReader(platform);
  let module: Promise<WebAssembly.Module> | undefined;

  /** Compiles the file, without relaxed SIMD, so that pictures are bitwise equal on every machine. */
  async function compileOnce(): Promise<{ readonly wasm: WebAssembly.Module; readonly variant: 'simd' }> {
    checkWebAssembly();
    module ??= (async () => firstModule(await ownFiles(), (source) => compileFile(source, DEFAULT_TIMEOUT, platform)))().catch(
      (thrown: unknown) => {
        // Lets the next call retry.
        module = undefined;
        throw thrown;
      },
    );
    return { wasm: await module, variant: 'simd' };
  }

  return languageModelOpener({
    readHeaders: async (files, options) => readHeaders(files, { ...options, ...(await compileOnce()) }),
    openModelWorker: async (files, options) => open(files, { ...options, ...(await compileOnce()) }),
    openTokenizer: openTokenizerWorker,
  });
}
