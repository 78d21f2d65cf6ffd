// The photographs of figures about patches, one file that is fetched when it is first needed (scripts/site/photographs.mjs makes it).
import type { Tensor } from '../../engine/index.ts';
import { messageOf } from '../../engine/thrown.ts';
import { fetchFile, type GetFile, readFrom } from '../../sentence/get-file.ts';
import { WORDS } from '../contract/words.ts';

export type PhotographName = 'astronaut' | 'camera';

/** Where photographs come from. */
export interface Photographs {
  /** [PHOTOGRAPH_SIDE, PHOTOGRAPH_SIDE, 3], shades from 0 to 63. */
  shades(name: PhotographName): Promise<Uint8Array>;
}

/** Pixels along a side of every photograph. */
export const PHOTOGRAPH_SIDE = 64;
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const SHADES = LETTERS.length;

/** Each letter is a shade minus that of the pixel left of it, modulo 64. */
function decoded(letters: string): Uint8Array {
  const row = 3 * PHOTOGRAPH_SIDE;
  const values = new Uint8Array(row * PHOTOGRAPH_SIDE);
  if (letters.length !== values.length) throw new Error('it is not a photograph');
  for (let at = 0; at < values.length; at++) {
    const left = at % row < 3 ? 0 : (values[at - 3] as number);
    values[at] = (LETTERS.indexOf(letters[at] as string) + left) % SHADES;
  }
  return values;
}

export class PhotographFile implements Photographs {
  private loading: Promise<{ readonly [name in PhotographName]: string }> | undefined;

  constructor(
    private readonly address: string | URL,
    private readonly get: GetFile = fetchFile,
  ) {}

  async shades(name: PhotographName): Promise<Uint8Array> {
    this.loading ??= readFrom(this.get, this.address).then((response) => response.json());
    try {
      return decoded((await this.loading)[name]);
    } catch (thrown) {
      // The next figure tries again.
      this.loading = undefined;
      throw new Error(WORDS.noPhotographs(messageOf(thrown)));
    }
  }
}

/** The index of each value of each patch in the photograph: patches row by row, in a patch its pixels row by row, each red, green, blue. */
function placesOf(patch: number): Int32Array {
  const across = PHOTOGRAPH_SIDE / patch;
  const width = 3 * patch * patch;
  return Int32Array.from({ length: across * across * width }, (_, at) => {
    const index = Math.floor(at / width);
    const inside = Math.floor((at % width) / 3);
    const row = Math.floor(index / across) * patch + Math.floor(inside / patch);
    const column = (index % across) * patch + (inside % patch);
    return (row * PHOTOGRAPH_SIDE + column) * 3 + (at % 3);
  });
}

/**
 * Patches of `patch` pixels a side as embeddings [patches, 3 patch²]: the pixels themselves, black as -1 and white as 1, which is how the
 * processors of vision transformers have them (mean 0.5, deviation 0.5).
 */
export function patchEmbeddings(shades: Uint8Array, patch: number): Tensor {
  const data = Float32Array.from(placesOf(patch), (place) => (2 * (shades[place] as number)) / (SHADES - 1) - 1);
  const width = 3 * patch * patch;
  return { shape: [data.length / width, width], data };
}

/** The photograph with its patches in an order, as pixels of four bytes. `order` has for each place the index of the patch there. */
export function arrangedPixels({ data }: Tensor, patch: number, order: readonly number[]): Uint8ClampedArray<ArrayBuffer> {
  const places = placesOf(patch);
  const width = 3 * patch * patch;
  const rgba = new Uint8ClampedArray(PHOTOGRAPH_SIDE * PHOTOGRAPH_SIDE * 4).fill(255);
  for (let at = 0; at < places.length; at++) {
    const value = data[(order[Math.floor(at / width)] as number) * width + (at % width)] as number;
    const to = places[at] as number;
    rgba[Math.floor(to / 3) * 4 + (to % 3)] = ((value + 1) / 2) * 255;
  }
  return rgba;
}
