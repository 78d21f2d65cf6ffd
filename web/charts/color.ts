// Colour scales: a few stops, interpolated in Oklab to 256 colours. See docs/decisions/0026-color-scales.md.
import { extent, type Grid } from './grid.ts';
import type { Theme } from './picture.ts';
import { COLORS, parseRgb, type Rgb } from './render/palette.ts';

export const TABLE_SIZE = 256;

/** Kinds of colour scale. 'root' is sequential in the square root of the value, so that small values remain visible next to a large one. */
export type ScaleKind = 'sequential' | 'root' | 'diverging' | 'cyclic';

export interface ColorScale {
  readonly kind: ScaleKind;
  /** Values at the first and the last colour, lo <= hi. A cyclic scale repeats outside this interval. */
  readonly domain: readonly [lo: number, hi: number];
  /** 256 RGB colours, one byte per component. */
  readonly table: Uint8Array;
}

export const MASKED_COLORS: { readonly [T in Theme]: Rgb } = { light: parseRgb(COLORS.light.masked), dark: parseRgb(COLORS.dark.masked) };

const linearComponent = (byte: number): number => (byte <= 10.31475 ? byte / 255 / 12.92 : ((byte / 255 + 0.055) / 1.055) ** 2.4);
const srgbComponent = (x: number): number => 255 * (x <= 0.0031308 ? 12.92 * x : 1.055 * x ** (1 / 2.4) - 0.055);

/** A colour in Oklab (Ottosson 2020), a perceptually uniform colour space. */
type Oklab = readonly [lightness: number, a: number, b: number];

function oklabOf(hex: string): Oklab {
  const [r, g, b] = parseRgb(hex).map(linearComponent) as [number, number, number];
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

function rgbFromOklab([lightness, a, b]: Oklab): Rgb {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    srgbComponent(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    srgbComponent(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    srgbComponent(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ];
}

/** Interpolates between evenly spaced stops. The returned function maps t from 0 to 1 to a colour. */
function interpolateStops(stops: readonly string[]): (t: number) => Rgb {
  const oklabStops = stops.map(oklabOf);
  return (t) => {
    const stopIndex = Math.min(oklabStops.length - 2, Math.floor(t * (oklabStops.length - 1)));
    const fraction = t * (oklabStops.length - 1) - stopIndex;
    const [from, to] = [oklabStops[stopIndex] as Oklab, oklabStops[stopIndex + 1] as Oklab];
    const componentAt = (at: 0 | 1 | 2): number => from[at] + (to[at] - from[at]) * fraction;
    return rgbFromOklab([componentAt(0), componentAt(1), componentAt(2)]);
  };
}

/** A colour of the cyclic scale. The hues form a circle around grey that is lighter on one side. Entry 256 would equal entry 0. */
function hueColor(entry: number): Rgb {
  const angle = (2 * Math.PI * entry) / TABLE_SIZE;
  return rgbFromOklab([0.7 + 0.1 * Math.cos(angle - 1.9), 0.13 * Math.cos(angle), 0.13 * Math.sin(angle)]);
}

function createTable(color: (entry: number) => Rgb): Uint8Array {
  const colors = new Uint8ClampedArray(3 * TABLE_SIZE);
  for (let entry = 0; entry < TABLE_SIZE; entry++) colors.set(color(entry), 3 * entry);
  return new Uint8Array(colors.buffer);
}

/** Puts the centre of a diverging table at entry 128, so that zero has exactly the background colour. */
const divergingPosition = (entry: number): number => (entry <= 128 ? entry / 256 : 0.5 + (entry - 128) / 254);

function interpolateTable(kind: 'sequential' | 'diverging', stops: readonly string[]): Uint8Array {
  const color = interpolateStops(stops);
  return createTable((entry) => color(kind === 'diverging' ? divergingPosition(entry) : entry / (TABLE_SIZE - 1)));
}

const colorTables = new Map<string, Uint8Array>();

/** The colour table for a kind of scale in a theme. Each table is computed on first use. */
function colorTable(kind: 'sequential' | 'diverging' | 'cyclic', theme: Theme): Uint8Array {
  const name = `${kind} ${kind === 'cyclic' ? '' : theme}`;
  const cached = colorTables.get(name);
  if (cached) return cached;
  const newTable = kind === 'cyclic' ? createTable(hueColor) : interpolateTable(kind, COLORS[theme][kind]);
  colorTables.set(name, newTable);
  return newTable;
}

/** Creates a scale from the smallest finite value, which has the background colour, to the largest. Without finite values, the domain is [0, 0]. */
export function sequentialScale(data: ArrayLike<number>, theme: Theme, kind: 'sequential' | 'root' = 'sequential'): ColorScale {
  const { min, max } = extent(data);
  const table = colorTable('sequential', theme);
  return { kind, domain: Number.isNaN(min) ? [0, 0] : [min, max], table };
}

/** Creates a scale that is symmetric about zero and extends to the largest finite magnitude. Zero has the background colour. */
export function divergingScale(data: ArrayLike<number>, theme: Theme): ColorScale {
  const { min, max } = extent(data);
  const maxAbs = Number.isNaN(min) ? 0 : Math.max(Math.abs(min), Math.abs(max));
  return {
    kind: 'diverging',
    domain: maxAbs === 0 ? [0, 0] : [-maxAbs, maxAbs],
    table: colorTable('diverging', theme),
  };
}

export function cyclicScale(period = 2 * Math.PI): ColorScale {
  return { kind: 'cyclic', domain: [0, period], table: colorTable('cyclic', 'light') };
}

export function colorScaleOf(kind: ScaleKind, data: ArrayLike<number>, theme: Theme): ColorScale {
  if (kind === 'cyclic') return cyclicScale();
  return kind === 'diverging' ? divergingScale(data, theme) : sequentialScale(data, theme, kind);
}

/** The entry of the table (0 to 255) for a finite number; the middle entry (128) if the domain has no width. */
export function colorIndex(scale: ColorScale, value: number): number {
  // Not destructured: that would dominate the cost of this function, which is called for every cell.
  const lo = scale.domain[0];
  const hi = scale.domain[1];
  if (!(hi > lo)) return TABLE_SIZE / 2;
  const t = (value - lo) / (hi - lo);
  if (scale.kind === 'cyclic') return Math.floor((t - Math.floor(t)) * TABLE_SIZE) % TABLE_SIZE;
  // The centre of a diverging table is exactly entry 128, with 128 steps below and 127 above.
  if (scale.kind === 'diverging') return 128 + Math.round((2 * clamp(t) - 1) * (t < 0.5 ? 128 : 127));
  return Math.round((scale.kind === 'root' ? Math.sqrt(clamp(t)) : clamp(t)) * (TABLE_SIZE - 1));
}

const clamp = (t: number): number => Math.min(1, Math.max(0, t));

/** Returns the colour of a value as '#rrggbb', or undefined if the value is not finite. */
export function colorOf(scale: ColorScale, value: number): string | undefined {
  if (!Number.isFinite(value)) return undefined;
  const offset = 3 * colorIndex(scale, value);
  return `#${[...scale.table.subarray(offset, offset + 3)].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

const luminance = (color: ArrayLike<number>): number => {
  const [red = 0, green = 0, blue = 0] = Array.from(color, (byte) =>
    byte / 255 <= 0.04045 ? byte / 255 / 12.92 : ((byte / 255 + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

/** Text colours on cells: near black and near white, then pure black and white for medium greys. */
const INKS = [COLORS.dark.ground, COLORS.light.ground, '#000000', '#ffffff'].map((ink) => [ink, luminance(parseRgb(ink))] as const);

/**
 * A readable text colour on a background (red, green and blue, each from 0 to 255): the first ink with a contrast of at least 4.5:1 (WCAG 2). One ink
 * always has this contrast.
 */
export function chooseReadableInk(color: ArrayLike<number>): string {
  const background = luminance(color);
  const contrast = (ink: number) => (Math.max(background, ink) + 0.05) / (Math.min(background, ink) + 0.05);
  return INKS.find(([, ink]) => contrast(ink) >= 4.5)?.[0] ?? '#000000';
}

/** Returns the RGBA pixels of a grid, 4 bytes per cell. Non-finite cells have the masked colour. */
export function paint(grid: Grid, scale: ColorScale, theme: Theme): Uint8ClampedArray<ArrayBuffer> {
  const count = grid.rows * grid.columns;
  const pixels = new Uint32Array(count);
  const colors = pixelsOf(scale.table);
  const [masked = 0] = pixelsOf(MASKED_COLORS[theme]);
  const [lo, hi] = scale.domain;
  const width = hi > lo ? hi - lo : Number.NaN;
  const { data } = grid;
  const { kind } = scale;
  for (let i = 0; i < count; i++) {
    const value = data[i] as number;
    const t = (value - lo) / width;
    // For values within the domain, integer arithmetic is three times as fast as colorIndex.
    if (!(t >= 0 && t <= 1)) pixels[i] = Number.isFinite(value) ? (colors[colorIndex(scale, value)] as number) : masked;
    else if (kind === 'root') pixels[i] = colors[(Math.sqrt(t) * (TABLE_SIZE - 1) + 0.5) | 0] as number;
    else if (kind === 'sequential') pixels[i] = colors[(t * (TABLE_SIZE - 1) + 0.5) | 0] as number;
    else if (kind === 'diverging') pixels[i] = colors[128 + Math.round((2 * t - 1) * (t < 0.5 ? 128 : 127))] as number;
    else pixels[i] = colors[((t * TABLE_SIZE) % TABLE_SIZE) | 0] as number;
  }
  return new Uint8ClampedArray(pixels.buffer);
}

const pixelTables = new Map<ArrayLike<number>, Uint32Array>();

/** Converts an RGB table to opaque RGBA, so that each pixel takes a single write. The result is cached. */
function pixelsOf(table: ArrayLike<number>): Uint32Array {
  const cached = pixelTables.get(table);
  if (cached) return cached;
  const rgba = new Uint8Array((table.length / 3) * 4).fill(255);
  for (let at = 0; at < table.length; at++) rgba[at + Math.floor(at / 3)] = table[at] as number;
  const pixels = new Uint32Array(rgba.buffer);
  pixelTables.set(table, pixels);
  return pixels;
}
