import type { Tensor } from '../../../engine/index.ts';
import { PHOTOGRAPH_SIDE, SHADE_COUNT } from '../../runtime/photographs.ts';

/**
 * Returns the index of each embedding value in the photograph's RGB data. Patches, and the pixels of each patch, are in
 * row-major order.
 */
function computePixelIndices(patch: number): Int32Array {
  const patchesPerRow = PHOTOGRAPH_SIDE / patch;
  const width = 3 * patch * patch;
  return Int32Array.from({ length: patchesPerRow * patchesPerRow * width }, (_, at) => {
    const index = Math.floor(at / width);
    const pixelInPatch = Math.floor((at % width) / 3);
    const row = Math.floor(index / patchesPerRow) * patch + Math.floor(pixelInPatch / patch);
    const column = (index % patchesPerRow) * patch + (pixelInPatch % patch);
    return (row * PHOTOGRAPH_SIDE + column) * 3 + (at % 3);
  });
}

/**
 * Converts patches of `patch` x `patch` pixels to embeddings [patches, 3 * patch * patch]. Values range from -1 (black)
 * to 1 (white), as with an image processor's mean of 0.5 and standard deviation of 0.5.
 */
export function computePatchEmbeddings(shades: Uint8Array, patch: number): Tensor {
  const data = Float32Array.from(computePixelIndices(patch), (position) => (2 * (shades[position] as number)) / (SHADE_COUNT - 1) - 1);
  const width = 3 * patch * patch;
  return { shape: [data.length / width, width], data };
}

/** Returns the RGBA bytes of the photograph with patch `order[i]` at position i. */
export function arrangePixels({ data }: Tensor, patch: number, order: readonly number[]): Uint8ClampedArray<ArrayBuffer> {
  const valueIndices = computePixelIndices(patch);
  const width = 3 * patch * patch;
  const rgba = new Uint8ClampedArray(PHOTOGRAPH_SIDE * PHOTOGRAPH_SIDE * 4).fill(255);
  for (let at = 0; at < valueIndices.length; at++) {
    const value = data[(order[Math.floor(at / width)] as number) * width + (at % width)] as number;
    const valueIndex = valueIndices[at] as number;
    rgba[Math.floor(valueIndex / 3) * 4 + (valueIndex % 3)] = ((value + 1) / 2) * 255;
  }
  return rgba;
}
