// Reads an image as a tensor: its central square, scaled to IMAGE_SIDE pixels per side.
import type { Tensor } from '../../engine/index.ts';
import { FILE_STRINGS } from './strings.ts';

export const IMAGE_FILES: readonly string[] = ['.png', '.jpg', '.jpeg', '.webp', '.gif'];
export const IMAGE_SIDE = 64;
const MAX_PIXELS = 50_000_000;

export const acceptsImages = (types: readonly string[] | undefined): boolean => types?.includes('.png') ?? false;

/** Resolves once the image has loaded and its size is known. Rejects if the file is not an image. */
const loadImage = (url: string): Promise<HTMLImageElement> =>
  new Promise((resolve, reject) => {
    const image = new Image();
    image.onload = () => resolve(image);
    image.onerror = reject;
    image.src = url;
  });

/**
 * Reads an image as a tensor [IMAGE_SIDE, IMAGE_SIDE, 3] with values from 0 to 1. Rejects with an Error that names the
 * file.
 */
export async function readImage(file: File): Promise<Tensor> {
  const url = URL.createObjectURL(file);
  try {
    const image = await loadImage(url).catch(() => {
      throw new Error(FILE_STRINGS.notImage(file.name));
    });
    const { naturalWidth: width, naturalHeight: height } = image;
    if (width * height > MAX_PIXELS) throw new Error(FILE_STRINGS.hugeImage(file.name, width, height, MAX_PIXELS));
    const cropSize = Math.min(width, height);
    if (cropSize < IMAGE_SIDE) throw new Error(FILE_STRINGS.smallImage(file.name, width, height, IMAGE_SIDE));
    const croppedImage = await createImageBitmap(
      image,
      Math.floor((width - cropSize) / 2),
      Math.floor((height - cropSize) / 2),
      cropSize,
      cropSize,
      {
        resizeWidth: IMAGE_SIDE,
        resizeHeight: IMAGE_SIDE,
        resizeQuality: 'high',
      },
    );
    const canvas = document.createElement('canvas');
    canvas.width = IMAGE_SIDE;
    canvas.height = IMAGE_SIDE;
    const context = canvas.getContext('2d');
    if (!context) throw new Error(FILE_STRINGS.notImage(file.name));
    // Transparent pixels become white.
    context.fillStyle = 'white';
    context.fillRect(0, 0, IMAGE_SIDE, IMAGE_SIDE);
    context.drawImage(croppedImage, 0, 0);
    croppedImage.close();
    const { data } = context.getImageData(0, 0, IMAGE_SIDE, IMAGE_SIDE);
    const rgbData = data.filter((_, at) => at % 4 !== 3);
    return { shape: [IMAGE_SIDE, IMAGE_SIDE, 3], data: Float32Array.from(rgbData, (shade) => shade / 255) };
  } finally {
    URL.revokeObjectURL(url);
  }
}
