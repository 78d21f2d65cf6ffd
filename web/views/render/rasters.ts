// The rasters of a picture on a canvas. The pixels of a raster are kept as a bitmap and made again only when they change.
import type { Box, Raster } from '../picture.ts';

interface Held {
  readonly raster: Raster;
  readonly bitmap: OffscreenCanvas | HTMLCanvasElement;
  /** Where it is drawn now; between two places while it glides. */
  place: Box;
  from: Box;
}

export interface RasterLayer {
  /** Takes over these rasters; returns 'still' when nothing has to be drawn, 'moves' when some glide. */
  update(rasters: readonly Raster[], glide: boolean): 'still' | 'changed' | 'moves';
  /** Puts gliding rasters at 0 to 1 of their way. */
  advance(t: number): void;
  /** Draws everything at `ratio` device pixels per CSS px. */
  draw(context: CanvasRenderingContext2D, ratio: number): void;
}

function sameBytes(a: Uint8ClampedArray, b: Uint8ClampedArray): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

const samePlace = (a: Box, b: Box): boolean => a.x === b.x && a.y === b.y && a.width === b.width && a.height === b.height;

/** The pixels of a raster, in an old bitmap of the same size when there is one. */
function bitmapOf({ columns, rows, rgba }: Raster, old?: Held['bitmap']): OffscreenCanvas | HTMLCanvasElement {
  const fresh = (): Held['bitmap'] =>
    typeof OffscreenCanvas === 'undefined'
      ? Object.assign(document.createElement('canvas'), { width: columns, height: rows })
      : new OffscreenCanvas(columns, rows);
  const bitmap = old?.width === columns && old.height === rows ? old : fresh();
  const context = bitmap.getContext('2d') as CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D | null;
  context?.putImageData(new ImageData(rgba, columns, rows), 0, 0);
  return bitmap;
}

/** Keeps bitmaps for a list of rasters. */
export function rasterLayer(): RasterLayer {
  let held: Held[] = [];
  return {
    update(rasters, glide) {
      const before = new Map(held.map((one, index) => [one.raster.key ?? `:${index}`, one]));
      let moves = false;
      let changed = rasters.length !== held.length;
      held = rasters.map((raster, index) => {
        const known = before.get(raster.key ?? `:${index}`);
        const same =
          known?.raster.columns === raster.columns && known.raster.rows === raster.rows && sameBytes(known.raster.rgba, raster.rgba);
        const { x, y, width, height } = raster;
        const place = { x, y, width, height };
        const way = known !== undefined && glide && raster.key !== undefined && !samePlace(known.place, place);
        moves ||= way;
        changed ||= !same || !samePlace(known.place, place);
        const from = way ? known.place : place;
        return { raster, bitmap: same ? known.bitmap : bitmapOf(raster, known?.bitmap), place: from, from };
      });
      return moves ? 'moves' : changed ? 'changed' : 'still';
    },
    advance(t) {
      for (const one of held) {
        const { raster, from } = one;
        const mix = (a: number, b: number): number => a + (b - a) * t;
        one.place = {
          x: mix(from.x, raster.x),
          y: mix(from.y, raster.y),
          width: mix(from.width, raster.width),
          height: mix(from.height, raster.height),
        };
      }
    },
    draw(context, ratio) {
      context.clearRect(0, 0, context.canvas.width, context.canvas.height);
      for (const { raster, bitmap, place } of held) {
        // Edges on device pixels, so that they are sharp.
        const left = Math.round(place.x * ratio);
        const top = Math.round(place.y * ratio);
        const width = Math.max(1, Math.round((place.x + place.width) * ratio) - left);
        const height = Math.max(1, Math.round((place.y + place.height) * ratio) - top);
        // Cells below one device pixel are averaged, because whole rows would be left out otherwise.
        context.imageSmoothingEnabled = width < raster.columns || height < raster.rows;
        context.imageSmoothingQuality = 'high';
        context.drawImage(bitmap, left, top, width, height);
      }
    },
  };
}
