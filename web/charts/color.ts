// Colour scales. The range comes from the data; non-finite values have a colour of their own.
import { colorTable, TABLE_SIZE } from './color-tables.ts';
import { extent, type Grid } from './grid.ts';
import type { Theme } from './picture.ts';

export { TABLE_SIZE };

/** `root`: a sequential scale of the square root of the share of its range, on which small numbers beside a large one are seen. */
export type ScaleKind = 'sequential' | 'root' | 'diverging' | 'cyclic';

/** Maps numbers to colours. */
export interface ColorScale {
  readonly kind: ScaleKind;
  /** The numbers of the first and the last colour, lo <= hi; a cyclic scale repeats beyond them. */
  readonly domain: readonly [lo: number, hi: number];
  /** 256 colours of red, green and blue, 0 to 255 each. */
  readonly table: Uint8Array;
}

/** The colour of masked cells (NaN and infinities) as red, green, blue, 0 to 255 each. */
export const MASKED: { readonly [T in Theme]: readonly [number, number, number] } = {
  light: [226, 222, 213],
  dark: [46, 49, 56],
};

/** From the smallest finite number, in the colour of the ground, to the largest; [0, 0] when there is none. */
export function sequentialScale(data: ArrayLike<number>, theme: Theme, kind: 'sequential' | 'root' = 'sequential'): ColorScale {
  const { min, max } = extent(data);
  const table = colorTable(theme === 'dark' ? 'sequentialDark' : 'sequentialLight');
  return { kind, domain: Number.isNaN(min) ? [0, 0] : [min, max], table };
}

/** Symmetric about zero, out to the finite number farthest from it; zero has the background colour. */
export function divergingScale(data: ArrayLike<number>, theme: Theme): ColorScale {
  const { min, max } = extent(data);
  const reach = Number.isNaN(min) ? 0 : Math.max(Math.abs(min), Math.abs(max));
  return {
    kind: 'diverging',
    domain: reach === 0 ? [0, 0] : [-reach, reach],
    table: colorTable(theme === 'dark' ? 'divergingDark' : 'divergingLight'),
  };
}

/** A scale for angles; default period: 2π radians. */
export function cyclicScale(period = 2 * Math.PI): ColorScale {
  return { kind: 'cyclic', domain: [0, period], table: colorTable('cyclic') };
}

/** The scale of a kind with the range of the data; a cyclic scale always spans 2π. */
export function scaleOf(kind: ScaleKind, data: ArrayLike<number>, theme: Theme): ColorScale {
  if (kind === 'cyclic') return cyclicScale();
  return kind === 'diverging' ? divergingScale(data, theme) : sequentialScale(data, theme, kind);
}

/** Entry of the table (0 to 255) for a finite number; the middle one (128) when the domain has no width. */
export function colorIndex(scale: ColorScale, value: number): number {
  // By index: destructuring costs more than all the rest, for every cell.
  const lo = scale.domain[0];
  const hi = scale.domain[1];
  if (!(hi > lo)) return TABLE_SIZE / 2;
  const t = (value - lo) / (hi - lo);
  if (scale.kind === 'cyclic') return Math.floor((t - Math.floor(t)) * TABLE_SIZE) % TABLE_SIZE;
  // The centre of a diverging table is entry 128, exactly: 128 steps below it, 127 above.
  if (scale.kind === 'diverging') return 128 + Math.round((2 * clamp(t) - 1) * (t < 0.5 ? 128 : 127));
  return Math.round((scale.kind === 'root' ? Math.sqrt(clamp(t)) : clamp(t)) * (TABLE_SIZE - 1));
}

const clamp = (t: number): number => Math.min(1, Math.max(0, t));

/** The colour of a number as '#rrggbb', or undefined when it is not finite. */
export function colorOf(scale: ColorScale, value: number): string | undefined {
  if (!Number.isFinite(value)) return undefined;
  const at = 3 * colorIndex(scale, value);
  return `#${[...scale.table.subarray(at, at + 3)].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

const luminance = (color: ArrayLike<number>): number => {
  const [red = 0, green = 0, blue = 0] = Array.from(color, (byte) =>
    byte / 255 <= 0.04045 ? byte / 255 / 12.92 : ((byte / 255 + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

/** What numbers are written in: near black and near white with their luminance, and black and white for the greys between. */
const INKS = [
  ['#14161a', 0.00797],
  ['#fbf9f4', 0.94792],
  ['#000000', 0],
  ['#ffffff', 1],
] as const;

/** The first ink that contrasts 4.5 to 1 with a colour of red, green and blue, 0 to 255 each (WCAG 2): there always is one. */
export function readable(color: ArrayLike<number>): string {
  const own = luminance(color);
  const contrast = (ink: number) => (Math.max(own, ink) + 0.05) / (Math.min(own, ink) + 0.05);
  return INKS.find(([, ink]) => contrast(ink) >= 4.5)?.[0] ?? '#000000';
}

/** The cells of a grid as pixels: rows * columns * 4 bytes. Cells that are not finite get the masked colour. */
export function paint(grid: Grid, scale: ColorScale, theme: Theme): Uint8ClampedArray<ArrayBuffer> {
  const count = grid.rows * grid.columns;
  const pixels = new Uint32Array(count);
  const colors = pixelsOf(scale.table);
  const [masked = 0] = pixelsOf(MASKED[theme]);
  const [lo, hi] = scale.domain;
  const width = hi > lo ? hi - lo : Number.NaN;
  const { data } = grid;
  const { kind } = scale;
  for (let i = 0; i < count; i++) {
    const value = data[i] as number;
    const t = (value - lo) / width;
    // As colorIndex, for most cells of most maps: in whole numbers it takes a third of the time.
    if (!(t >= 0 && t <= 1)) pixels[i] = Number.isFinite(value) ? (colors[colorIndex(scale, value)] as number) : masked;
    else if (kind === 'root') pixels[i] = colors[(Math.sqrt(t) * (TABLE_SIZE - 1) + 0.5) | 0] as number;
    else if (kind === 'sequential') pixels[i] = colors[(t * (TABLE_SIZE - 1) + 0.5) | 0] as number;
    else if (kind === 'diverging') pixels[i] = colors[128 + Math.round((2 * t - 1) * (t < 0.5 ? 128 : 127))] as number;
    else pixels[i] = colors[((t * TABLE_SIZE) % TABLE_SIZE) | 0] as number;
  }
  return new Uint8ClampedArray(pixels.buffer);
}

const pixelTables = new Map<ArrayLike<number>, Uint32Array>();

/** Colours of three bytes as opaque pixels of four, which are written in one step. There are only a few tables, each made once. */
function pixelsOf(table: ArrayLike<number>): Uint32Array {
  const known = pixelTables.get(table);
  if (known) return known;
  const rgba = new Uint8Array((table.length / 3) * 4).fill(255);
  for (let at = 0; at < table.length; at++) rgba[at + Math.floor(at / 3)] = table[at] as number;
  const pixels = new Uint32Array(rgba.buffer);
  pixelTables.set(table, pixels);
  return pixels;
}
