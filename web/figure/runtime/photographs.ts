// Loads the photographs for figures about patches from the file that scripts/site/photographs.mjs generates.
import { messageOf } from '../../engine/errors.ts';
import { type FileFetcher, fetchFile, fetchResponse } from '../../sentence/get-file.ts';

const STRINGS = {
  noPhotographs: (reason: string) => `picture: the photographs could not be loaded (${reason})`,
} as const;

export type PhotographName = 'astronaut' | 'camera';

export interface Photographs {
  /** Returns the colour values of a photograph, from 0 to 63. Shape: [PHOTOGRAPH_SIDE, PHOTOGRAPH_SIDE, 3]. */
  shades(name: PhotographName): Promise<Uint8Array>;
}

/** Width and height of every photograph in pixels. */
export const PHOTOGRAPH_SIDE = 64;
const SHADE_LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
export const SHADE_COUNT = SHADE_LETTERS.length;

/** Decodes a photograph. Each letter is the difference between a value and its left neighbour, modulo 64. */
function decodePhotograph(letters: string): Uint8Array {
  const rowLength = 3 * PHOTOGRAPH_SIDE;
  const decodedShades = new Uint8Array(rowLength * PHOTOGRAPH_SIDE);
  if (letters.length !== decodedShades.length) throw new Error('the file is not a photograph');
  for (let index = 0; index < decodedShades.length; index++) {
    const leftShade = index % rowLength < 3 ? 0 : (decodedShades[index - 3] as number);
    decodedShades[index] = (SHADE_LETTERS.indexOf(letters[index] as string) + leftShade) % SHADE_COUNT;
  }
  return decodedShades;
}

export class PhotographFile implements Photographs {
  private pendingFile: Promise<{ readonly [name in PhotographName]: string }> | undefined;

  constructor(
    private readonly url: string | URL,
    private readonly fetcher: FileFetcher = fetchFile,
  ) {}

  async shades(name: PhotographName): Promise<Uint8Array> {
    this.pendingFile ??= fetchResponse(this.fetcher, this.url).then((response) => response.json());
    try {
      return decodePhotograph((await this.pendingFile)[name]);
    } catch (thrown) {
      // Failures are not cached, so that the next call retries.
      this.pendingFile = undefined;
      throw new Error(STRINGS.noPhotographs(messageOf(thrown)));
    }
  }
}
