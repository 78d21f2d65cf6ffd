import type { Picture, Raster } from '../../charts/picture.ts';
import type { Palette } from '../../charts/render/palette.ts';
import { toSvg } from '../../charts/render/svg.ts';

function rasterToPng({ columns, rows, rgba }: Raster): string {
  const canvas = Object.assign(document.createElement('canvas'), { width: columns, height: rows });
  canvas.getContext('2d')?.putImageData(new ImageData(new Uint8ClampedArray(rgba), columns, rows), 0, 0);
  return canvas.toDataURL('image/png');
}

export const pictureToSvg = (picture: Picture, palette: Palette): string => toSvg(picture, rasterToPng, palette);
