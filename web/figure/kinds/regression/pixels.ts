// Training and test pixels of an image, and the error between two images.
import type { Tensor } from '../../../engine/index.ts';

export const SIDE = 64;
export const PIXELS = SIDE * SIDE;

export type PixelUse = 'trained' | 'between' | 'other';

/** Returns the use of a pixel: training (even row and column), test (odd row and column), or neither. */
export function classifyPixel(pixel: number): PixelUse {
  const [row, column] = [Math.floor(pixel / SIDE) % 2, pixel % 2];
  return row !== column ? 'other' : row === 0 ? 'trained' : 'between';
}

export const pixelList = (data: Float32Array): Tensor => ({ shape: [PIXELS, 3], data });

export const createBlankImage = (): Tensor => pixelList(new Float32Array(3 * PIXELS).fill(Number.NaN));
export const hasOutput = ({ data }: Tensor): boolean => !Number.isNaN(data[0]);

/** Returns the peak signal-to-noise ratio in dB over the pixels with this use. */
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

/** Decodes an image with 256 shades. It is stored in base64 as differences from the left neighbour. */
export function decodeImage(encodedImage: string): Tensor {
  const shades = Uint8Array.from(atob(encodedImage), (character) => character.charCodeAt(0));
  for (let at = 3; at < shades.length; at++) if (at % (3 * SIDE) >= 3) shades[at] = (shades[at] as number) + (shades[at - 3] as number);
  return pixelList(Float32Array.from(shades, (shade) => shade / 255));
}
