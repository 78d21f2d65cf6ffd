// The types of pictures: rasters (cells as pixels) below marks (lines and text), in CSS px from the top left corner.

export type Theme = 'light' | 'dark';

/**
 * The roles of marks, each with one colour per palette: `ink` (main text and hands), `muted` (secondary text), `hairline` (rules and frames),
 * `accent` (the main marks), `cursor` (the user's selection), `halo` (an edge in the colour of the background that keeps the cursor visible on any
 * colour), `hatch` (masked cells), `wedge` (the area between two directions), `changed` (changed marks), `series-1` to `series-6` (the lines of a
 * chart).
 */
export const TONES = [
  'ink',
  'muted',
  'hairline',
  'accent',
  'cursor',
  'halo',
  'hatch',
  'wedge',
  'changed',
  'series-1',
  'series-2',
  'series-3',
  'series-4',
  'series-5',
  'series-6',
] as const;
export type Tone = (typeof TONES)[number];

/** A grid of colours. Cells of at least a pixel are drawn without smoothing. */
export interface Raster {
  /** A raster with the key of a previous one is animated to its new place. */
  readonly key?: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly columns: number;
  readonly rows: number;
  /**
   * Four bytes (RGBA) per cell, row by row from the top. Immutable. Several rasters may share one larger array with the same number of columns; each
   * is then a slice of its rows.
   */
  readonly rgba: Uint8ClampedArray<ArrayBuffer>;
}

interface MarkStyle {
  readonly tone: Tone;
  /** A mark with the key of a previous one is animated to its new place. Keys are unique in a picture. */
  readonly key?: string;
  /** Opacity from 0 (invisible) to 1; default: 1. */
  readonly opacity?: number;
  /** Clockwise rotation in degrees about a point. May exceed 360, so that animated hands make full rotations. */
  readonly rotation?: { readonly degrees: number; readonly x: number; readonly y: number };
  /** A colour that encodes data (`#rrggbb`). It is used instead of the colour of the tone, and is the same in every theme. */
  readonly color?: string;
}

interface StrokeStyle {
  /** Width of the stroke in px; default: 1. */
  readonly stroke?: number;
  readonly dashed?: boolean;
}

export interface LineMark extends MarkStyle, StrokeStyle {
  readonly kind: 'line';
  readonly x1: number;
  readonly y1: number;
  readonly x2: number;
  readonly y2: number;
}

/** An SVG path, which is filled if `fill` is set, and stroked otherwise. */
export interface PathMark extends MarkStyle, StrokeStyle {
  readonly kind: 'path';
  readonly d: string;
  /** An offset that is added to the path; default: none. */
  readonly by?: { readonly x: number; readonly y: number };
  readonly fill?: boolean;
}

export interface TextMark extends MarkStyle {
  readonly kind: 'text';
  /** The anchor point; `y` is the vertical middle of the letters. */
  readonly x: number;
  readonly y: number;
  readonly text: string;
  /** The alignment of the text at x, as in SVG's text-anchor; default: 'start'. */
  readonly anchor?: 'start' | 'middle' | 'end';
  /** Font size in px; default: LABEL_SIZE (text-metrics.ts). */
  readonly size?: number;
  readonly bold?: boolean;
  /** Whether the text is in the serif font used for prose. */
  readonly serif?: boolean;
}

/** A rectangle, which is filled unless `outline` is set. */
export interface RectMark extends MarkStyle, StrokeStyle {
  readonly kind: 'rect';
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly outline?: boolean;
}

/** A circle, which is filled unless `outline` is set. */
export interface CircleMark extends MarkStyle, StrokeStyle {
  readonly kind: 'circle';
  readonly cx: number;
  readonly cy: number;
  readonly r: number;
  readonly outline?: boolean;
}

export type Mark = LineMark | PathMark | TextMark | RectMark | CircleMark;

export interface Picture {
  /** Width in CSS px, at least 1. */
  readonly width: number;
  readonly height: number;
  /** A short title, suitable as a heading above the picture. */
  readonly title: string;
  /** One or two sentences generated from the data, for screen readers. */
  readonly description: string;
  /** Duration of the transition to this picture in ms; default: TRANSITION_MS (render/screen.ts). */
  readonly duration?: number;
  readonly rasters: readonly Raster[];
  readonly marks: readonly Mark[];
}

/** A rectangle in a picture in CSS px. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Frame {
  readonly width: number;
  readonly maxHeight?: number | undefined;
  readonly theme: Theme;
  /** The fixed range of values during a drag. Without it, rescaling would move the picture under the pointer. */
  readonly dragRange?: readonly [number, number] | undefined;
}
