// Training and test pixels of an image, and the error between two images.
import type { Tensor } from '../../../engine/index.ts';

export const SIDE = 64;
export const PIXELS = SIDE * SIDE;

export type PixelUse = 'trained' | 'between' | 'other';

/** Classifies a pixel: 'trained' if row and column are even, 'between' (a test pixel) if both are odd. */
export function classifyPixel(pixel: number): PixelUse {
  const [row, column] = [Math.floor(pixel / SIDE) % 2, pixel % 2];
  return row !== column ? 'other' : row === 0 ? 'trained' : 'between';
}

export const pixelList = (data: Float32Array): Tensor => ({ shape: [PIXELS, 3], data });

export const createBlankImage = (): Tensor => pixelList(new Float32Array(3 * PIXELS).fill(Number.NaN));
export const hasOutput = ({ data }: Tensor): boolean => !Number.isNaN(data[0]);

/** Returns the peak signal-to-noise ratio in dB over the pixels that classify as `use`. */
export function decibelsOf(image: Tensor, target: Tensor, use: PixelUse): number {
  let [sum, count] = [0, 0];
  for (let at = 0; at < target.data.length; at++) {
    if (classifyPixel(Math.floor(at / 3)) !== use) continue;
    sum += ((image.data[at] as number) - (target.data[at] as number)) ** 2;
    count += 1;
  }
  return -10 * Math.log10(sum / count);
}

export function rgbaOf({ data }: Tensor): Uint8ClampedArray<ArrayBuffer> {
  const rgba = new Uint8ClampedArray(4 * PIXELS).fill(255);
  for (let at = 0; at < data.length; at++) rgba[4 * Math.floor(at / 3) + (at % 3)] = 255 * (data[at] as number);
  return rgba;
}

/** Decodes an 8-bit RGB image stored in base64, each pixel as the difference from its left neighbour. */
export function decodeImage(encodedImage: string): Tensor {
  const shades = Uint8Array.from(atob(encodedImage), (character) => character.charCodeAt(0));
  for (let at = 3; at < shades.length; at++) if (at % (3 * SIDE) >= 3) shades[at] = (shades[at] as number) + (shades[at - 3] as number);
  return pixelList(Float32Array.from(shades, (shade) => shade / 255));
}
