// Renders a picture as PNG in a browser.
import type { Picture } from '../../charts/picture.ts';
import { drawMarks } from '../../charts/render/marks.ts';
import type { Palette } from '../../charts/render/palette.ts';
import { rasterLayer } from '../../charts/render/rasters.ts';

/** Draws at `scale` pixels per CSS px, on the palette's background. */
export function renderPng(picture: Picture, palette: Palette, scale: number): Promise<Blob> {
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(picture.width * scale);
  canvas.height = Math.round(picture.height * scale);
  const context = canvas.getContext('2d');
  if (!context) return Promise.reject(new Error(`picture: this browser cannot draw ${canvas.width} x ${canvas.height} pixels`));
  context.fillStyle = palette.ground;
  context.fillRect(0, 0, canvas.width, canvas.height);
  const rasters = rasterLayer();
  rasters.update(picture.rasters, false);
  rasters.draw(context, scale);
  drawMarks(context, picture.marks, palette, scale);
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) =>
        blob ? resolve(blob) : reject(new Error(`picture: ${canvas.width} x ${canvas.height} pixels are too many for this browser`)),
      'image/png',
    );
  });
}
