// The colours of posters: chart colours, interpolated in sRGB, on a separate background.
import { entryAt } from '../../charts/entry-at.ts';
import type { Grid } from '../../charts/grid.ts';
import type { Raster, Theme } from '../../charts/picture.ts';
import { COLORS, PALETTES, type Palette, parseRgb, type Rgb } from '../../charts/render/palette.ts';

/** Colour stops from the most negative to the most positive value. Posters have their own colour for zero. */
const divergingStops = (theme: Theme): readonly string[] => {
  const { diverging: stops, poster } = COLORS[theme];
  return stops.map((stop, index) => (index === (stops.length - 1) / 2 ? poster.zero : stop)).reverse();
};

/** Interpolates between evenly spaced colour stops; `fraction` is from 0 to 1. */
function interpolateColor(stops: readonly string[], fraction: number): Rgb {
  const stopPosition = Math.min(1, Math.max(0, fraction)) * (stops.length - 1);
  const stopIndex = Math.min(stops.length - 2, Math.floor(stopPosition));
  const [from, to] = [parseRgb(stops[stopIndex] as string), parseRgb(stops[stopIndex + 1] as string)];
  return from.map((byte, channel) => Math.round(byte + (entryAt(to, channel) - byte) * (stopPosition - stopIndex))) as unknown as Rgb;
}

const toHex = (rgb: Rgb): string => `#${rgb.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;

export interface PosterStyle {
  readonly palette: Palette;
  /** Returns the sequential colour for a value from 0 (smallest) to 1 (largest). */
  getColor(fraction: number): string;
  /** Draws the cells as a square raster. The colours span `range`; non-finite cells have the background colour. */
  drawCells(grid: Grid, side: number, range: readonly [min: number, max: number], kind: 'sequential' | 'diverging'): Raster;
}

export function createPosterStyle(theme: Theme): PosterStyle {
  return {
    palette: { ...PALETTES[theme], ground: COLORS[theme].poster.ground },
    getColor: (fraction) => toHex(interpolateColor(COLORS[theme].sequential, fraction)),
    drawCells({ rows, columns, data }, side, [min, max], kind) {
      const stops = kind === 'sequential' ? COLORS[theme].sequential : divergingStops(theme);
      const rgba = new Uint8ClampedArray(4 * rows * columns);
      for (const [index, value] of data.entries())
        if (Number.isFinite(value)) rgba.set([...interpolateColor(stops, (value - min) / (max - min)), 255], 4 * index);
      return { x: 0, y: 0, width: side, height: side, rows, columns, rgba };
    },
  };
}
