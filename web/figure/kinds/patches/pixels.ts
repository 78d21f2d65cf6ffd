import type { Tensor } from '../../../engine/index.ts';
import { PHOTOGRAPH_SIDE, SHADE_COUNT } from '../../runtime/photographs.ts';

/**
 * Returns the index of each embedding value in the photograph's RGB data. Patches, and the pixels of each patch, are in
 * row-major order.
 */
function computePixelIndices(patchSize: number): Int32Array {
  const patchesPerRow = PHOTOGRAPH_SIDE / patchSize;
  const width = 3 * patchSize * patchSize;
  return Int32Array.from({ length: patchesPerRow * patchesPerRow * width }, (_, valueIndex) => {
    const patchIndex = Math.floor(valueIndex / width);
    const pixelInPatch = Math.floor((valueIndex % width) / 3);
    const row = Math.floor(patchIndex / patchesPerRow) * patchSize + Math.floor(pixelInPatch / patchSize);
    const column = (patchIndex % patchesPerRow) * patchSize + (pixelInPatch % patchSize);
    return (row * PHOTOGRAPH_SIDE + column) * 3 + (valueIndex % 3);
  });
}

/**
 * Converts patches of `patchSize` x `patchSize` pixels to embeddings [patches, 3 * patchSize ** 2]. Values range from -1 (black)
 * to 1 (white), as with an image processor's mean of 0.5 and standard deviation of 0.5.
 */
export function computePatchEmbeddings(shades: Uint8Array, patchSize: number): Tensor {
  const data = Float32Array.from(computePixelIndices(patchSize), (position) => (2 * (shades[position] as number)) / (SHADE_COUNT - 1) - 1);
  const width = 3 * patchSize * patchSize;
  return { shape: [data.length / width, width], data };
}

/** Returns the RGBA bytes of the photograph with patch `order[i]` at position i. */
export function arrangePixels({ data }: Tensor, patchSize: number, order: readonly number[]): Uint8ClampedArray<ArrayBuffer> {
  const pixelIndices = computePixelIndices(patchSize);
  const width = 3 * patchSize * patchSize;
  const rgba = new Uint8ClampedArray(PHOTOGRAPH_SIDE * PHOTOGRAPH_SIDE * 4).fill(255);
  for (let index = 0; index < pixelIndices.length; index++) {
    const value = data[(order[Math.floor(index / width)] as number) * width + (index % width)] as number;
    const pixelIndex = pixelIndices[index] as number;
    rgba[Math.floor(pixelIndex / 3) * 4 + (pixelIndex % 3)] = ((value + 1) / 2) * 255;
  }
  return rgba;
}
