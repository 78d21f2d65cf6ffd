// Fetches the files of the language model shipped in public/models/austen.

import { messageOf } from '../../engine/errors.ts';
import type { FileLike } from '../../engine/types/model-files.ts';
import { type FileFetcher, fetchFile, fetchResponse } from '../../sentence/get-file.ts';

/** The folder of the model, relative to the folder of the trained models. */
export const SHIPPED_MODEL_NAME = 'austen';
const FILE_NAMES = ['config.json', 'tokenizer.json', 'model.safetensors'];

const STRINGS = {
  notLoaded: (url: string, reason: string) =>
    `model: ${url} could not be loaded (${reason}); expected this file in the models/ folder of the website`,
} as const;

/** @param folder URL of the folder that contains the trained models */
export const fetchShippedFiles = (folder: URL, fetcher: FileFetcher = fetchFile): Promise<readonly FileLike[]> =>
  Promise.all(
    FILE_NAMES.map(async (name) => {
      const url = new URL(`${SHIPPED_MODEL_NAME}/${name}`, folder);
      try {
        return new File([await (await fetchResponse(fetcher, url)).arrayBuffer()], name);
      } catch (thrown) {
        throw new Error(STRINGS.notLoaded(url.href, messageOf(thrown)));
      }
    }),
  );
