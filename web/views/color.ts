// Colour scales. The range comes from the data; non-finite values have a colour of their own.
import { cyclic, divergingDark, divergingLight, sequential } from 'virtual:color-tables';
import { extent, type Grid } from './grid.ts';
import type { Theme } from './picture.ts';

export type ScaleKind = 'sequential' | 'diverging' | 'cyclic';

/** Maps numbers to colours. */
export interface ColorScale {
  readonly kind: ScaleKind;
  /** The numbers of the first and the last colour, lo <= hi; a cyclic scale repeats beyond them. */
  readonly domain: readonly [lo: number, hi: number];
  /** 256 colours of red, green and blue, 0 to 255 each. */
  readonly table: Uint8Array;
}

/** Entries in a colour table. */
export const TABLE_SIZE = 256;

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Colours from the first one and the steps of each channel (scripts/site/color-tables.mjs). */
function decode(text: string): Uint8Array {
  const words = text.split(' ');
  const table = new Uint8Array(3 * TABLE_SIZE);
  for (let channel = 0; channel < 3; channel++) {
    const steps = words[3 + channel] as string;
    table[channel] = Number(words[channel]);
    for (let i = 1; i < TABLE_SIZE; i++)
      table[3 * i + channel] = (table[3 * (i - 1) + channel] as number) + LETTERS.indexOf(steps[i - 1] as string) - 32;
  }
  return table;
}

const TABLES = { sequential, cyclic, light: divergingLight, dark: divergingDark } as const;
const decoded: { -readonly [K in keyof typeof TABLES]?: Uint8Array } = {};

/** A table, decoded when a picture first has its colours. */
function tableOf(name: keyof typeof TABLES): Uint8Array {
  decoded[name] ??= decode(TABLES[name]);
  return decoded[name];
}

/** The colour of masked cells (NaN and infinities) as red, green, blue, 0 to 255 each. */
export const MASKED: { readonly [T in Theme]: readonly [number, number, number] } = {
  light: [226, 222, 213],
  dark: [46, 49, 56],
};

/** From the smallest to the largest finite number; [0, 0] when there is none. */
export function sequentialScale(data: ArrayLike<number>): ColorScale {
  const { min, max } = extent(data);
  return { kind: 'sequential', domain: Number.isNaN(min) ? [0, 0] : [min, max], table: tableOf('sequential') };
}

/** Symmetric about zero, out to the finite number farthest from it; zero has the background colour. */
export function divergingScale(data: ArrayLike<number>, theme: Theme): ColorScale {
  const { min, max } = extent(data);
  const reach = Number.isNaN(min) ? 0 : Math.max(Math.abs(min), Math.abs(max));
  return { kind: 'diverging', domain: reach === 0 ? [0, 0] : [-reach, reach], table: tableOf(theme) };
}

/** A scale for angles; default period: 2π radians. */
export function cyclicScale(period = 2 * Math.PI): ColorScale {
  return { kind: 'cyclic', domain: [0, period], table: tableOf('cyclic') };
}

/** The scale of a kind with the range of the data; a cyclic scale always spans 2π. */
export function scaleOf(kind: ScaleKind, data: ArrayLike<number>, theme: Theme): ColorScale {
  if (kind === 'cyclic') return cyclicScale();
  return kind === 'diverging' ? divergingScale(data, theme) : sequentialScale(data);
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
  return Math.round(clamp(t) * (TABLE_SIZE - 1));
}

const clamp = (t: number): number => Math.min(1, Math.max(0, t));

/** The colour of a number as '#rrggbb', or undefined when it is not finite. */
export function colorOf(scale: ColorScale, value: number): string | undefined {
  if (!Number.isFinite(value)) return undefined;
  const at = 3 * colorIndex(scale, value);
  return `#${[...scale.table.subarray(at, at + 3)].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

/** Near black or near white, whichever contrasts more with a colour of red, green and blue, 0 to 255 each (relative luminance of WCAG). */
export function readable(color: ArrayLike<number>): string {
  const [red = 0, green = 0, blue = 0] = Array.from(color, (byte) => (byte / 255) ** 2.2);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.18 ? '#14161a' : '#fbf9f4';
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
