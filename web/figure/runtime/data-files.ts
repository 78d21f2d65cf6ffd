// The files of public/ that figures load on demand.
import { messageOf } from '../../engine/errors.ts';
import { fetchFile, type GetFile, readFrom } from '../../sentence/get-file.ts';
import type { Photographs } from './photographs.ts';
import type { CreateTrainer, ServiceSources } from './services.ts';
import type { ShippedModels } from './shipped-models.ts';

const CORPUS_STRINGS = {
  noCorpus: (why: string) => `run: the text to learn from could not be loaded (${why})`,
} as const;

export function corpusFrom(address: string | URL, get: GetFile = fetchFile): () => Promise<string> {
  let loading: Promise<string> | undefined;
  return async () => {
    loading ??= readFrom(get, address).then((response) => response.text());
    try {
      return await loading;
    } catch (thrown) {
      // The next call retries.
      loading = undefined;
      throw new Error(CORPUS_STRINGS.noCorpus(messageOf(thrown)));
    }
  };
}

// The trained models of a page: those in the index of the page, or in a folder that a figure names. The module that reads models is loaded with
// the first model.

const MODELS_STRINGS = {
  noFolder: (folder: string) => `models-src: ${JSON.stringify(folder)} is not the URL of a folder`,
} as const;

/** The URL of the index in a folder. Throws if the name of the folder is invalid. */
function indexOf(folder: string): URL {
  try {
    return new URL('index.json', new URL(folder.endsWith('/') ? folder : `${folder}/`, document.baseURI));
  } catch {
    throw new Error(MODELS_STRINGS.noFolder(folder));
  }
}

/** @param own returns the URL of the index, for figures without a folder, on demand */
export function modelsIn(own: () => URL, createTrainer: CreateTrainer): Required<ServiceSources>['models'] {
  /** Models, keyed by the function that creates shared trainers, because shared trainers end with their engine. */
  const all = new WeakMap<CreateTrainer, Map<string, Promise<ShippedModels>>>();
  return async (createShared, folder) => {
    const created = all.get(createShared) ?? new Map<string, Promise<ShippedModels>>();
    all.set(createShared, created);
    const address = folder === undefined ? own() : indexOf(folder);
    const cached = created.get(address.href);
    if (cached) return cached;
    const making = import('./shipped-models.ts').then(
      (program) => new program.ShippedModels(address, createTrainer, fetchFile, createShared),
    );
    created.set(address.href, making);
    // The next figure retries.
    making.catch(() => created.delete(address.href));
    return making;
  };
}

// The reader of photographs is loaded by the kinds that show them, because most pages show none.

/** @param address the URL of the photograph file */
export function laterPhotographs(address: string | URL): Photographs {
  let file: Photographs | undefined;
  return {
    async shades(name) {
      const { PhotographFile } = await import('./photographs.ts');
      file ??= new PhotographFile(address);
      return file.shades(name);
    },
  };
}
