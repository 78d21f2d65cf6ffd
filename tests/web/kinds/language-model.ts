// The language model of the site, read from disk.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inspectModel, openModel } from '../../../web/engine/model.node.ts';
import type { LanguageModel } from '../../../web/figure/contract/context.ts';
import { createLanguageModelOpener } from '../../../web/figure/runtime/open-language-model.ts';
import { fetchShippedFiles, SHIPPED_MODEL_NAME } from '../../../web/figure/runtime/shipped-language-model.ts';
import { openTokenizer } from '../../../web/tokenizer/async-tokenizer.ts';

const folder = pathToFileURL(join(process.cwd(), 'public/models/'));
export const files = await fetchShippedFiles(folder, async (address) => new Response(await readFile(address as URL)));

/** Runs the model on this thread, because a worker would keep the test process alive. */
export const openFiles = createLanguageModelOpener({
  readHeaders: async (source, options) => ({
    info: await inspectModel(source, options),
    fileBytes: files.reduce((sum, { name, size }) => sum + (name.endsWith('.safetensors') ? size : 0), 0),
  }),
  openModelWorker: (files, { worker: _, fallback: __, ...options } = {}) => openModel(files, { ...options, variant: 'simd' }),
  openTokenizer,
});

const shipped = openFiles(files, {}, SHIPPED_MODEL_NAME).then((openedModel): LanguageModel => ({ ...openedModel, key: 1 }));

/** The shipped novel, whose end was held out from training. */
export const novel = (): Promise<string> => readFile('public/data/pride-and-prejudice.txt', 'utf8');

export const languageModel = (): Promise<LanguageModel> => shipped;
