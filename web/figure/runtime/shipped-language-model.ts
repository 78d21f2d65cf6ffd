// The files of the language model that ships (public/models/austen).

import { messageOf } from '../../engine/errors.ts';
import type { FileLike } from '../../engine/types/model-files.ts';
import { fetchFile, type GetFile, readFrom } from '../../sentence/get-file.ts';

/** Its folder beside the index of the trained models. */
export const SHIPPED = 'austen';
const FILES = ['config.json', 'tokenizer.json', 'model.safetensors'];

const STRINGS = {
  notLoaded: (address: string, why: string) => `model: ${address} could not be loaded (${why}); it is in the folder models/ of the website`,
} as const;

/** @param folder the URL of the trained models */
export const shippedFiles = (folder: URL, get: GetFile = fetchFile): Promise<readonly FileLike[]> =>
  Promise.all(
    FILES.map(async (name) => {
      const address = new URL(`${SHIPPED}/${name}`, folder);
      try {
        return new File([await (await readFrom(get, address)).arrayBuffer()], name);
      } catch (thrown) {
        throw new Error(STRINGS.notLoaded(address.href, messageOf(thrown)));
      }
    }),
  );
