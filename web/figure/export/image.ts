// A picture as a file, in a browser: SVG as text, PNG at a scale.
import type { Picture, Raster } from '../../views/picture.ts';
import { drawMarks } from '../../views/render/marks.ts';
import type { Palette } from '../../views/render/palette.ts';
import { rasterLayer } from '../../views/render/rasters.ts';
import { toSvg } from '../../views/render/svg.ts';

/** The cells of a raster as a PNG in a data URL. */
function pngOfRaster({ columns, rows, rgba }: Raster): string {
  const canvas = Object.assign(document.createElement('canvas'), { width: columns, height: rows });
  canvas.getContext('2d')?.putImageData(new ImageData(new Uint8ClampedArray(rgba), columns, rows), 0, 0);
  return canvas.toDataURL('image/png');
}

export const svgOf = (picture: Picture, palette: Palette): string => toSvg(picture, pngOfRaster, palette);

/** At `scale` pixels per CSS px, on the ground of the palette. */
export function pngOf(picture: Picture, palette: Palette, scale: number): Promise<Blob> {
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(picture.width * scale);
  canvas.height = Math.round(picture.height * scale);
  const context = canvas.getContext('2d');
  if (!context) return Promise.reject(new Error(`a picture of ${canvas.width} x ${canvas.height} pixels cannot be drawn here`));
  context.fillStyle = palette.ground;
  context.fillRect(0, 0, canvas.width, canvas.height);
  const rasters = rasterLayer();
  rasters.update(picture.rasters, false);
  rasters.draw(context, scale);
  drawMarks(context, picture.marks, palette, scale);
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error(`a picture of ${canvas.width} x ${canvas.height} pixels is too large`))),
      'image/png',
    );
  });
}
