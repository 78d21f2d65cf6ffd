// A line of a chart: its points, its band and its colour.

import { entryAt } from '../entry-at.ts';
import { extent } from '../grid.ts';
import type { Mark, Tone } from '../picture.ts';
import { LABEL, textWidth } from '../text-metrics.ts';
import { type AxisScale, niceDomain } from './axis-scale.ts';
import { areaPath, linePath } from './line-path.ts';

export interface Series {
  readonly name: string;
  /** The x of the points, ascending; a non-finite y leaves a gap. */
  readonly x: ArrayLike<number>;
  readonly y: ArrayLike<number>;
  /** A band around the line, from `low` to `high` at every x. */
  readonly low?: ArrayLike<number> | undefined;
  readonly high?: ArrayLike<number> | undefined;
  /** The shape of the line; 'step' draws a level segment around every x. Default: 'line'. */
  readonly shape?: 'line' | 'step' | 'dots' | undefined;
  readonly dashed?: boolean | undefined;
  /** Further values of the same quantity over the same x, such as those of other seeds, drawn as thin unlabelled lines behind. */
  readonly behind?: readonly ArrayLike<number>[] | undefined;
  /** The label at the last point of a line that ends early, above a cross, instead of the name on the right. */
  readonly end?: string | undefined;
  /** Colour of the line; default: by its index in the list. */
  readonly tone?: Tone | undefined;
}

const TONES: readonly Tone[] = ['series-1', 'series-2', 'series-3', 'series-4', 'series-5', 'series-6'];
/** The colour of the line with this index. */
export const toneOf = (index: number): Tone => TONES[index % TONES.length] as Tone;
/** The colour of a line in a list. */
export const seriesTone = (series: readonly Series[], index: number): Tone => series[index]?.tone ?? toneOf(index);

/** A domain of positive width that contains the values, even for one value or none. */
export function domain(values: readonly number[], round: boolean): readonly [number, number] {
  const { min, max } = extent(values);
  if (Number.isNaN(min)) return [0, 1];
  const pad = min === max ? Math.abs(min) / 2 || 0.5 : 0;
  const [lo, hi] = [min - pad, max + pad];
  return round ? niceDomain([lo, hi], 5) : [lo, hi];
}

/** The last finite point of a series. */
export function lastPoint({ x, y }: Series): { x: number; y: number } | undefined {
  for (let i = Math.min(x.length, y.length) - 1; i >= 0; i--) {
    const point = { x: entryAt(x, i), y: entryAt(y, i) };
    if (Number.isFinite(point.x) && Number.isFinite(point.y)) return point;
  }
  return undefined;
}

/** The point of a series nearest to an x. */
export function nearest({ x, y }: Series, at: number): { x: number; y: number } | undefined {
  let best: { x: number; y: number } | undefined;
  for (let i = 0; i < Math.min(x.length, y.length); i++) {
    const point = { x: entryAt(x, i), y: entryAt(y, i) };
    if (Number.isFinite(point.y) && (!best || Math.abs(point.x - at) < Math.abs(best.x - at))) best = point;
  }
  return best;
}

/** The marks of a series. `right` is the right edge of the picture. */
export function seriesMarks(
  one: Series,
  tone: Tone,
  across: AxisScale,
  up: AxisScale,
  stroke = 2,
  right = Number.POSITIVE_INFINITY,
): Mark[] {
  const points = Array.from({ length: Math.min(one.x.length, one.y.length) }, (_, i) => i);
  // Values that cannot be drawn, such as zero on a logarithmic axis, are gaps, like non-finite numbers.
  const canDraw = (i: number, y: number | undefined): boolean =>
    Number.isFinite(across(entryAt(one.x, i))) && Number.isFinite(up(y ?? Number.NaN));
  const x = (i: number): number => across(entryAt(one.x, i));
  const height = (values: ArrayLike<number>, i: number): number => up(entryAt(values, i));
  const marks: Mark[] = [];
  const { low, high } = one;
  if (low && high) {
    const isSpan = (i: number): boolean => canDraw(i, low[i]) && canDraw(i, high[i]);
    const band = areaPath(points.map((i) => (isSpan(i) ? { x: x(i), low: height(low, i), high: height(high, i) } : undefined)));
    if (band) marks.push({ kind: 'path', tone, key: `band-${one.name}`, d: band, fill: true, opacity: 0.22 });
  }
  const defined = (i: number): boolean => canDraw(i, one.y[i]);
  if (one.shape === 'dots') {
    const radius = points.length > 100 ? stroke : stroke + 0.5;
    const dots = points.filter(defined).map((i): Mark => ({ kind: 'circle', tone, cx: x(i), cy: up(entryAt(one.y, i)), r: radius }));
    return [...marks, ...dots];
  }
  const pathOf = (values: ArrayLike<number>) => points.map((i) => (canDraw(i, values[i]) ? { x: x(i), y: height(values, i) } : undefined));
  for (const [at, values] of (one.behind ?? []).entries()) {
    const thin = linePath(pathOf(values), one.shape);
    if (thin)
      marks.push({
        kind: 'path',
        tone,
        key: `behind-${one.name}-${at}`,
        d: thin,
        stroke: 1,
        opacity: 0.55,
        ...(one.dashed ? { dashed: true } : {}),
      });
  }
  const positions = pathOf(one.y);
  const d = linePath(positions, one.shape);
  if (d) marks.push({ kind: 'path', tone, key: `line-${one.name}`, d, stroke, ...(one.dashed ? { dashed: true } : {}) });
  const last = positions.findLast((position) => position !== undefined);
  return one.end !== undefined && last ? [...marks, ...endMarks(last, one.end, tone, right)] : marks;
}

/** A cross, and above it a text that ends at `right` or before, and stays readable over other lines. */
function endMarks({ x, y }: { readonly x: number; readonly y: number }, why: string, tone: Tone, right: number): Mark[] {
  const arm = 5;
  const width = textWidth(why, LABEL, true);
  const left = Math.min(x + arm, right - width);
  return [
    { kind: 'path', tone, d: `M${x - arm},${y - arm}L${x + arm},${y + arm}M${x - arm},${y + arm}L${x + arm},${y - arm}`, stroke: 3 },
    { kind: 'rect', tone: 'halo', x: left - 3, y: y - arm - 18, width: width + 6, height: 16, opacity: 0.85 },
    { kind: 'text', tone, bold: true, x: left, y: y - arm - 10, text: why },
  ];
}
