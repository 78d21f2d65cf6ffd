// The text that models of characters learn from, fetched when something first trains on it.
import { messageOf } from '../../engine/errors/thrown.ts';
import { fetchFile, type GetFile, readFrom } from '../../sentence/get-file.ts';

const WORDS = {
  noCorpus: (why: string) => `run: the text to learn from could not be loaded (${why})`,
} as const;

export function corpusFrom(address: string | URL, get: GetFile = fetchFile): () => Promise<string> {
  let loading: Promise<string> | undefined;
  return async () => {
    loading ??= readFrom(get, address).then((response) => response.text());
    try {
      return await loading;
    } catch (thrown) {
      // The next one tries again.
      loading = undefined;
      throw new Error(WORDS.noCorpus(messageOf(thrown)));
    }
  };
}
