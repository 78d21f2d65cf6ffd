// The photographs of figures about patches: pixels, and patches as embeddings.
import pictures from 'virtual:pictures';
import type { Tensor } from '../engine/index.ts';

export type PictureName = keyof typeof pictures;

/** Pixels along a side of every photograph. */
export const PICTURE_SIDE = pictures.astronaut.side;
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const SHADES = LETTERS.length;

/** [side, side, 3], shades from 0 to 63. */
function shadesOf(name: PictureName): Uint8Array {
  const { side, shades } = pictures[name];
  const values = new Uint8Array(shades.length);
  for (let at = 0; at < shades.length; at++) {
    const left = at % (3 * side) < 3 ? 0 : (values[at - 3] as number);
    values[at] = (LETTERS.indexOf(shades[at] as string) + left) % SHADES;
  }
  return values;
}

/** The index of each value of each patch in the shades: patches row by row, in a patch its pixels row by row, each red, green, blue. */
function placesOf(patch: number): Int32Array {
  const across = PICTURE_SIDE / patch;
  const width = 3 * patch * patch;
  return Int32Array.from({ length: across * across * width }, (_, at) => {
    const index = Math.floor(at / width);
    const inside = Math.floor((at % width) / 3);
    const row = Math.floor(index / across) * patch + Math.floor(inside / patch);
    const column = (index % across) * patch + (inside % patch);
    return (row * PICTURE_SIDE + column) * 3 + (at % 3);
  });
}

/**
 * Patches of `patch` pixels a side as embeddings [patches, 3 patch²]: the pixels themselves, black as -1 and white as 1, which is how the
 * processors of vision transformers have them (mean 0.5, deviation 0.5).
 */
export function patchEmbeddings(name: PictureName, patch: number): Tensor {
  const shades = shadesOf(name);
  const data = Float32Array.from(placesOf(patch), (place) => (2 * (shades[place] as number)) / (SHADES - 1) - 1);
  const width = 3 * patch * patch;
  return { shape: [data.length / width, width], data };
}

/** The photograph with its patches in an order, as pixels of four bytes. `order` has for each place the index of the patch there. */
export function arrangedPixels(name: PictureName, patch: number, order: readonly number[]): Uint8ClampedArray<ArrayBuffer> {
  const shades = shadesOf(name);
  const places = placesOf(patch);
  const width = 3 * patch * patch;
  const rgba = new Uint8ClampedArray(PICTURE_SIDE * PICTURE_SIDE * 4).fill(255);
  for (let at = 0; at < places.length; at++) {
    const from = places[(order[Math.floor(at / width)] as number) * width + (at % width)] as number;
    const to = places[at] as number;
    rgba[Math.floor(to / 3) * 4 + (to % 3)] = ((shades[from] as number) * 255) / (SHADES - 1);
  }
  return rgba;
}
