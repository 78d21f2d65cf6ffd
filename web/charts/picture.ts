// Types for pictures. A picture consists of rasters (cells as pixels) below marks (lines and text). Coordinates are CSS px from the top left corner.

export type Theme = 'light' | 'dark';

/**
 * The colour roles of marks. Each palette has one colour per role: `ink` (main text, and the hands of clocks), `muted` (secondary text), `hairline`
 * (rules and frames), `accent` (the main marks), `cursor` (the user's selection), `halo` (an outline in the background colour that keeps the cursor
 * visible), `hatch` (masked cells), `wedge` (the area between two directions), `changed` (changed marks), `series-1` to `series-6` (the lines of a
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

/** A grid of coloured cells. Cells of at least one device pixel are drawn without smoothing. */
export interface Raster {
  /** Identifies the raster across pictures: transitions animate it from its previous box to the new one. */
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
  /** Identifies the mark across pictures, so that transitions can animate it. Unique within a picture. */
  readonly key?: string;
  /** Opacity from 0 (invisible) to 1; default: 1. */
  readonly opacity?: number;
  /** Clockwise rotation in degrees about (x, y). May exceed 360, for animations of more than a full turn. */
  readonly rotation?: { readonly degrees: number; readonly x: number; readonly y: number };
  /** A colour that encodes data (`#rrggbb`). It overrides the tone's colour and is the same in every theme. */
  readonly color?: string;
}

interface StrokeStyle {
  /** Stroke width in px; default: 1. */
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
  /** Translation of the path; default: none. */
  readonly by?: { readonly x: number; readonly y: number };
  readonly fill?: boolean;
}

export interface TextMark extends MarkStyle {
  readonly kind: 'text';
  /** The anchor point. `y` is the vertical centre of the text. */
  readonly x: number;
  readonly y: number;
  readonly text: string;
  /** Horizontal alignment relative to `x`, as SVG's text-anchor; default: 'start'. */
  readonly anchor?: 'start' | 'middle' | 'end';
  /** Font size in px; default: LABEL_SIZE (text-metrics.ts). */
  readonly size?: number;
  readonly bold?: boolean;
  /** Whether to use the serif font for prose. */
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
  /** The range of values, fixed during a drag so that rescaling does not move the picture under the pointer. */
  readonly dragRange?: readonly [number, number] | undefined;
}
