import { messageOf } from '../../engine/errors.ts';
import { type FileFetcher, fetchFile, fetchResponse } from '../../sentence/get-file.ts';
import type { Photographs } from './photographs.ts';
import type { ServiceSources, TrainerFactory } from './services.ts';
import type { ShippedModels } from './shipped-models.ts';

const CORPUS_STRINGS = {
  noCorpus: (reason: string) => `run: the training text could not be loaded (${reason})`,
} as const;

export function createCorpusLoader(url: string | URL, fetcher: FileFetcher = fetchFile): () => Promise<string> {
  let pendingText: Promise<string> | undefined;
  return async () => {
    pendingText ??= fetchResponse(fetcher, url).then((response) => response.text());
    try {
      return await pendingText;
    } catch (thrown) {
      // Allows the next call to retry.
      pendingText = undefined;
      throw new Error(CORPUS_STRINGS.noCorpus(messageOf(thrown)));
    }
  };
}

const MODELS_STRINGS = {
  noFolder: (folder: string) => `models-src: ${JSON.stringify(folder)} is not the URL of a folder`,
} as const;

/** Returns the URL of index.json in a folder. Throws if `folder` is not a valid URL. */
function resolveIndexUrl(folder: string): URL {
  try {
    return new URL('index.json', new URL(folder.endsWith('/') ? folder : `${folder}/`, document.baseURI));
  } catch {
    throw new Error(MODELS_STRINGS.noFolder(folder));
  }
}

/** @param pageIndexUrl returns the URL of the page's model index, used by figures without a `models-src` attribute */
export function createModelLoader(pageIndexUrl: () => URL, createTrainer: TrainerFactory): Required<ServiceSources>['models'] {
  /** Models are cached per trainer factory and URL, because shared trainers are disposed of with their engine. */
  const modelsByTrainer = new WeakMap<TrainerFactory, Map<string, Promise<ShippedModels>>>();
  return async (createSharedTrainer, folder) => {
    const modelsByUrl = modelsByTrainer.get(createSharedTrainer) ?? new Map<string, Promise<ShippedModels>>();
    modelsByTrainer.set(createSharedTrainer, modelsByUrl);
    const url = folder === undefined ? pageIndexUrl() : resolveIndexUrl(folder);
    const cachedModels = modelsByUrl.get(url.href);
    if (cachedModels) return cachedModels;
    const pendingModels = import('./shipped-models.ts').then(
      ({ ShippedModels }) => new ShippedModels(url, createTrainer, fetchFile, createSharedTrainer),
    );
    modelsByUrl.set(url.href, pendingModels);
    // Failures are not cached, so that the next figure retries.
    pendingModels.catch(() => modelsByUrl.delete(url.href));
    return pendingModels;
  };
}

// Decodes photographs with a module that is loaded on demand, because few pages show photographs.
export function createLazyPhotographs(url: string | URL): Photographs {
  let file: Photographs | undefined;
  return {
    async shades(name) {
      const { PhotographFile } = await import('./photographs.ts');
      file ??= new PhotographFile(url);
      return file.shades(name);
    },
  };
}
