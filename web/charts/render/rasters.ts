// Draws a picture's rasters on a canvas. Pixels are cached in bitmaps, which are updated only when pixels change.
import type { Box, Raster } from '../picture.ts';

type Bitmap = OffscreenCanvas | HTMLCanvasElement;

/** A pixel array and its bitmap. Several rasters may be rows of one sheet, because a hundred separate bitmaps would be too slow. */
interface Sheet {
  readonly pixels: Uint32Array<ArrayBuffer>;
  readonly bitmap: Bitmap;
}

/**
 * For rasters of one row: the share of the row's height that is cut off above and below when sampling. Just under half, so only the centre line is
 * sampled.
 */
const ROW_INSET = 0.498;

interface CachedRaster {
  readonly raster: Raster;
  readonly sheet: Sheet;
  /** The box in which the raster is currently drawn. It changes during a transition. */
  currentBox: Box;
  startBox: Box;
}

export interface RasterLayer {
  /** Sets the rasters. Returns 'still' if nothing changed, 'moves' if a transition starts, or 'changed' otherwise. */
  update(rasters: readonly Raster[], shouldAnimate: boolean): 'still' | 'changed' | 'moves';
  advance(t: number): void;
  /** Draws all rasters at `ratio` device pixels per CSS px. */
  draw(context: CanvasRenderingContext2D, ratio: number): void;
}

function areSamePixels(a: Uint32Array, b: Uint32Array): boolean {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return a.length === b.length;
}

const areSameBoxes = (a: Box, b: Box): boolean => a.x === b.x && a.y === b.y && a.width === b.width && a.height === b.height;

/** Returns the previous sheet if its pixels are equal; otherwise creates a sheet, reusing the bitmap if the size is equal. */
function createSheet({ columns, rgba: { buffer } }: Raster, previousSheet: Sheet | undefined): Sheet {
  const pixels = new Uint32Array(buffer);
  const rows = pixels.length / columns;
  const hasSameSize = previousSheet?.bitmap.width === columns && previousSheet.bitmap.height === rows;
  if (hasSameSize && areSamePixels(previousSheet.pixels, pixels)) return previousSheet;
  const createBitmap = (): Bitmap =>
    typeof OffscreenCanvas === 'undefined'
      ? Object.assign(document.createElement('canvas'), { width: columns, height: rows })
      : new OffscreenCanvas(columns, rows);
  const bitmap = hasSameSize ? previousSheet.bitmap : createBitmap();
  const context = bitmap.getContext('2d') as CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D | null;
  context?.putImageData(new ImageData(new Uint8ClampedArray(buffer), columns, rows), 0, 0);
  return { pixels, bitmap };
}

export function rasterLayer(): RasterLayer {
  let cachedRasters: CachedRaster[] = [];
  let sheets: Sheet[] = [];
  return {
    update(rasters, shouldGlide) {
      const previousRasters = new Map(cachedRasters.map((cachedRaster, index) => [cachedRaster.raster.key ?? `:${index}`, cachedRaster]));
      const currentSheets = new Map<ArrayBuffer, Sheet>();
      let hasMoved = false;
      let hasChanged = rasters.length !== cachedRasters.length;
      cachedRasters = rasters.map((raster, index) => {
        const previousRaster = previousRasters.get(raster.key ?? `:${index}`);
        const sheet = currentSheets.get(raster.rgba.buffer) ?? createSheet(raster, sheets[currentSheets.size]);
        currentSheets.set(raster.rgba.buffer, sheet);
        const { x, y, width, height } = raster;
        const targetBox = { x, y, width, height };
        const isMoving =
          previousRaster !== undefined && shouldGlide && raster.key !== undefined && !areSameBoxes(previousRaster.currentBox, targetBox);
        hasMoved ||= isMoving;
        hasChanged ||= sheet !== previousRaster?.sheet || !areSameBoxes(previousRaster.currentBox, targetBox);
        const startBox = isMoving ? previousRaster.currentBox : targetBox;
        return { raster, sheet, currentBox: startBox, startBox };
      });
      sheets = [...currentSheets.values()];
      return hasMoved ? 'moves' : hasChanged ? 'changed' : 'still';
    },
    advance(t) {
      for (const cachedRaster of cachedRasters) {
        const { raster, startBox } = cachedRaster;
        const interpolate = (a: number, b: number): number => a + (b - a) * t;
        cachedRaster.currentBox = {
          x: interpolate(startBox.x, raster.x),
          y: interpolate(startBox.y, raster.y),
          width: interpolate(startBox.width, raster.width),
          height: interpolate(startBox.height, raster.height),
        };
      }
    },
    draw(context, ratio) {
      context.globalAlpha = 1;
      for (const { raster, sheet, currentBox } of cachedRasters) {
        // Edges are rounded to device pixels to keep them sharp.
        const left = Math.round(currentBox.x * ratio);
        const top = Math.round(currentBox.y * ratio);
        const width = Math.max(1, Math.round((currentBox.x + currentBox.width) * ratio) - left);
        const height = Math.max(1, Math.round((currentBox.y + currentBox.height) * ratio) - top);
        const { columns, rows, rgba } = raster;
        // Smoothing averages cells that are smaller than a device pixel; without it, whole rows would be skipped.
        context.imageSmoothingEnabled = width < columns || height < rows;
        context.imageSmoothingQuality = 'high';
        // A single row is sampled along its centre, because smoothing would mix in neighbouring rows of the sheet.
        const inset = rows === 1 ? ROW_INSET : 0;
        const sourceY = rgba.byteOffset / (4 * columns) + inset;
        context.drawImage(sheet.bitmap, 0, sourceY, columns, rows - 2 * inset, left, top, width, height);
      }
    },
  };
}
