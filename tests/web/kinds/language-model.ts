// The language model of the site, read from disk, on this thread.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inspectModel, openModel, readGgufMetadata } from '../../../web/engine/model.node.ts';
import type { LanguageModel } from '../../../web/figure/contract/context.ts';
import { languageModelOpener } from '../../../web/figure/runtime/open-language-model.ts';
import { SHIPPED, shippedFiles } from '../../../web/figure/runtime/shipped-language-model.ts';

const folder = pathToFileURL(join(process.cwd(), 'public/models/'));
export const files = await shippedFiles(folder, async (address) => new Response(await readFile(address as URL)));

/** On this thread: a worker would keep the tests' process alive. */
export const openFiles = languageModelOpener({
  inspectModel,
  openModelWorker: (provided, { worker: _, fallback: __, ...options } = {}) => openModel(provided, { ...options, variant: 'simd' }),
  readGgufMetadata,
});

const shipped = openFiles(files, {}, SHIPPED).then((opened): LanguageModel => ({ ...opened, key: 1 }));

/** The novel that ships, of which the model has not read the end. */
export const novel = (): Promise<string> => readFile('public/data/pride-and-prejudice.txt', 'utf8');

export const languageModel = (): Promise<LanguageModel> => shipped;
