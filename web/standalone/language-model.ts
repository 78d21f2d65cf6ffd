// The language model of a single-file page. The WebAssembly and the shipped model are embedded in the page. The user's own files are opened
// as on the website.
import type { LanguageModelOpener } from '../figure/runtime/language-models.ts';
import { fetchShippedFiles, SHIPPED_MODEL_NAME } from '../figure/runtime/shipped-language-model.ts';
import { createWorkerModelOpener } from '../figure/runtime/worker-language-model.ts';
import { unpack } from './unpack.ts';

const openInWorker = createWorkerModelOpener(async () => [new Uint8Array(await unpack('model-engine').arrayBuffer())]);

/** A placeholder, because embedded files have names but no URL. */
const PLACEHOLDER_FOLDER = new URL('file:///models/');
const loadShippedFiles = () =>
  fetchShippedFiles(PLACEHOLDER_FOLDER, async (address) => unpack(new URL(address).pathname.split('/').at(-1) as string));

export const corpus = (): Promise<string> => unpack('novel').text();

export const openLanguageModel: LanguageModelOpener = async (files, hooks) =>
  files ? openInWorker(files, hooks) : openInWorker(await loadShippedFiles(), hooks, SHIPPED_MODEL_NAME);
