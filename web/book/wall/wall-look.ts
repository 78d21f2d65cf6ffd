// The colours of posters. The ground is zero and away from it is more, so that a picture of mostly small numbers is mostly quiet: lightness in OKLab
// falls (in the dark: rises) with every stop, also for readers who do not tell red from green or blue from yellow.
import { entryAt } from '../../charts/entry-at.ts';
import type { Grid } from '../../charts/grid.ts';
import type { Raster, Theme } from '../../charts/picture.ts';
import type { Palette } from '../../charts/render/palette.ts';
import { PALETTES } from '../../charts/render/palette.ts';

const SEQUENTIAL = {
  light: ['#f9f5ed', '#f7e4bd', '#f4ce81', '#cbbc63', '#7faf74', '#349280', '#076d76', '#0d4760', '#0d233e'],
  dark: ['#151a20', '#143141', '#054e59', '#076f6f', '#2b907d', '#68ac77', '#b9bf64', '#f0cf76', '#fcf0cb'],
} as const;
const DIVERGING = {
  light: ['#8a3b06', '#d9822b', '#f3c58c', '#f1ece1', '#a9c9e6', '#3f86bf', '#123f73'],
  dark: ['#ffc48a', '#e08a3a', '#8a5222', '#262a31', '#2a5480', '#4f97d3', '#b5dcff'],
} as const;
/** Posters have no frame: a ground of their own sets them off from the page. */
const GROUND = { light: '#f2eee4', dark: '#1c1f25' } as const;

type Rgb = readonly [red: number, green: number, blue: number];

const bytesOf = (hex: string): Rgb => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as unknown as Rgb;

/** Between stops, in equal steps; `share` from 0 to 1. */
function between(stops: readonly string[], share: number): Rgb {
  const at = Math.min(1, Math.max(0, share)) * (stops.length - 1);
  const first = Math.min(stops.length - 2, Math.floor(at));
  const [from, to] = [bytesOf(stops[first] as string), bytesOf(stops[first + 1] as string)];
  return from.map((byte, channel) => Math.round(byte + (entryAt(to, channel) - byte) * (at - first))) as unknown as Rgb;
}

const hexOf = (rgb: Rgb): string => `#${rgb.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;

export interface WallLook {
  readonly palette: Palette;
  /** The colour of a share of the most there is, 0 to 1. */
  amount(share: number): string;
  /** Cells as a raster over the whole of a square; a cell that is not finite shows the ground. `range` is that of the colours. */
  cells(grid: Grid, side: number, range: readonly [lo: number, hi: number], kind: 'sequential' | 'diverging'): Raster;
}

export function wallLook(theme: Theme): WallLook {
  return {
    palette: { ...PALETTES[theme], ground: GROUND[theme] },
    amount: (share) => hexOf(between(SEQUENTIAL[theme], share)),
    cells({ rows, columns, data }, side, [lo, hi], kind) {
      const stops = (kind === 'sequential' ? SEQUENTIAL : DIVERGING)[theme];
      const rgba = new Uint8ClampedArray(4 * rows * columns);
      for (const [at, value] of data.entries())
        if (Number.isFinite(value)) rgba.set([...between(stops, (value - lo) / (hi - lo)), 255], 4 * at);
      return { x: 0, y: 0, width: side, height: side, rows, columns, rgba };
    },
  };
}
