// Training and test pixels of an image, and the error between two images.
import type { Tensor } from '../../../engine/index.ts';

export const SIDE = 64;
export const PIXEL_COUNT = SIDE * SIDE;

export type PixelUse = 'trained' | 'between' | 'other';

/** Classifies a pixel: 'trained' if row and column are even, 'between' (a test pixel) if both are odd. */
export function classifyPixel(pixel: number): PixelUse {
  const [row, column] = [Math.floor(pixel / SIDE) % 2, pixel % 2];
  return row !== column ? 'other' : row === 0 ? 'trained' : 'between';
}

export const toPixelTensor = (data: Float32Array): Tensor => ({ shape: [PIXEL_COUNT, 3], data });

export const createBlankImage = (): Tensor => toPixelTensor(new Float32Array(3 * PIXEL_COUNT).fill(Number.NaN));
export const hasOutput = ({ data }: Tensor): boolean => !Number.isNaN(data[0]);

/** Returns the peak signal-to-noise ratio in dB over the pixels that classify as `use`. */
export function computeDecibels(image: Tensor, target: Tensor, use: PixelUse): number {
  let [sum, count] = [0, 0];
  for (let index = 0; index < target.data.length; index++) {
    if (classifyPixel(Math.floor(index / 3)) !== use) continue;
    sum += ((image.data[index] as number) - (target.data[index] as number)) ** 2;
    count += 1;
  }
  return -10 * Math.log10(sum / count);
}

export function toRgba({ data }: Tensor): Uint8ClampedArray<ArrayBuffer> {
  const rgba = new Uint8ClampedArray(4 * PIXEL_COUNT).fill(255);
  for (let index = 0; index < data.length; index++) rgba[4 * Math.floor(index / 3) + (index % 3)] = 255 * (data[index] as number);
  return rgba;
}

/** Decodes an 8-bit RGB image stored in base64, each pixel as the difference from its left neighbour. */
export function decodeImage(encodedImage: string): Tensor {
  const shades = Uint8Array.from(atob(encodedImage), (character) => character.charCodeAt(0));
  for (let index = 3; index < shades.length; index++)
    if (index % (3 * SIDE) >= 3) shades[index] = (shades[index] as number) + (shades[index - 3] as number);
  return toPixelTensor(Float32Array.from(shades, (shade) => shade / 255));
}
