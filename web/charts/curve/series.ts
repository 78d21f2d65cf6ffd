// A line of a chart: its points, its band and its colour.

import { entryAt } from '../entry-at.ts';
import { extent } from '../grid.ts';
import type { Mark, Tone } from '../picture.ts';
import { LABEL_SIZE, textWidth } from '../text-metrics.ts';
import { type AxisScale, niceDomain } from './axis-scale.ts';
import { areaPath, linePath } from './line-path.ts';

export interface Series {
  readonly name: string;
  /** The x coordinates, ascending. A point whose y is not finite leaves a gap. */
  readonly x: ArrayLike<number>;
  readonly y: ArrayLike<number>;
  /** Lower and upper bounds of a band around the line. */
  readonly low?: ArrayLike<number> | undefined;
  readonly high?: ArrayLike<number> | undefined;
  /** The shape of the line; 'step' draws a level segment around every x. Default: 'line'. */
  readonly shape?: 'line' | 'step' | 'dots' | undefined;
  readonly dashed?: boolean | undefined;
  /** Values of other runs at the same x coordinates, such as runs with other seeds. They are drawn as thin unlabelled lines behind this one. */
  readonly otherValues?: readonly ArrayLike<number>[] | undefined;
  /** Label of a line that ends early, drawn above a cross at its last point. */
  readonly end?: string | undefined;
  /** Colour of the line. The default depends on the line's index in the list. */
  readonly tone?: Tone | undefined;
}

const TONES: readonly Tone[] = ['series-1', 'series-2', 'series-3', 'series-4', 'series-5', 'series-6'];
export const toneOf = (index: number): Tone => TONES[index % TONES.length] as Tone;
export const seriesTone = (series: readonly Series[], index: number): Tone => series[index]?.tone ?? toneOf(index);

/** Returns a domain of positive width that contains all finite values, or [0, 1] if there are none. */
export function valueDomain(values: readonly number[], shouldRound: boolean): readonly [number, number] {
  const { min, max } = extent(values);
  if (Number.isNaN(min)) return [0, 1];
  const padding = min === max ? Math.abs(min) / 2 || 0.5 : 0;
  const [lo, hi] = [min - padding, max + padding];
  return shouldRound ? niceDomain([lo, hi], 5) : [lo, hi];
}

export function lastPoint({ x, y }: Series): { x: number; y: number } | undefined {
  for (let i = Math.min(x.length, y.length) - 1; i >= 0; i--) {
    const point = { x: entryAt(x, i), y: entryAt(y, i) };
    if (Number.isFinite(point.x) && Number.isFinite(point.y)) return point;
  }
  return undefined;
}

export function findNearestPoint({ x, y }: Series, at: number): { x: number; y: number } | undefined {
  let nearestPoint: { x: number; y: number } | undefined;
  for (let i = 0; i < Math.min(x.length, y.length); i++) {
    const point = { x: entryAt(x, i), y: entryAt(y, i) };
    if (Number.isFinite(point.y) && (!nearestPoint || Math.abs(point.x - at) < Math.abs(nearestPoint.x - at))) nearestPoint = point;
  }
  return nearestPoint;
}

/** The marks of a series. `right` is the right edge of the picture. */
export function seriesMarks(
  line: Series,
  tone: Tone,
  toX: AxisScale,
  toY: AxisScale,
  stroke = 2,
  right = Number.POSITIVE_INFINITY,
): Mark[] {
  const pointIndices = Array.from({ length: Math.min(line.x.length, line.y.length) }, (_, i) => i);
  // Values that cannot be drawn, such as zero on a logarithmic axis, leave gaps like non-finite numbers.
  const canDraw = (i: number, y: number | undefined): boolean =>
    Number.isFinite(toX(entryAt(line.x, i))) && Number.isFinite(toY(y ?? Number.NaN));
  const x = (i: number): number => toX(entryAt(line.x, i));
  const toHeight = (values: ArrayLike<number>, i: number): number => toY(entryAt(values, i));
  const marks: Mark[] = [];
  const { low, high } = line;
  if (low && high) {
    const hasSpan = (i: number): boolean => canDraw(i, low[i]) && canDraw(i, high[i]);
    const band = areaPath(pointIndices.map((i) => (hasSpan(i) ? { x: x(i), low: toHeight(low, i), high: toHeight(high, i) } : undefined)));
    if (band) marks.push({ kind: 'path', tone, key: `band-${line.name}`, d: band, fill: true, opacity: 0.22 });
  }
  const hasPoint = (i: number): boolean => canDraw(i, line.y[i]);
  if (line.shape === 'dots') {
    const radius = pointIndices.length > 100 ? stroke : stroke + 0.5;
    const dots = pointIndices
      .filter(hasPoint)
      .map((i): Mark => ({ kind: 'circle', tone, cx: x(i), cy: toY(entryAt(line.y, i)), r: radius }));
    return [...marks, ...dots];
  }
  const pointsOf = (values: ArrayLike<number>) =>
    pointIndices.map((i) => (canDraw(i, values[i]) ? { x: x(i), y: toHeight(values, i) } : undefined));
  for (const [at, values] of (line.otherValues ?? []).entries()) {
    const thinPath = linePath(pointsOf(values), line.shape);
    if (thinPath)
      marks.push({
        kind: 'path',
        tone,
        key: `behind-${line.name}-${at}`,
        d: thinPath,
        stroke: 1,
        opacity: 0.55,
        ...(line.dashed ? { dashed: true } : {}),
      });
  }
  const linePoints = pointsOf(line.y);
  const d = linePath(linePoints, line.shape);
  if (d) marks.push({ kind: 'path', tone, key: `line-${line.name}`, d, stroke, ...(line.dashed ? { dashed: true } : {}) });
  const endPoint = linePoints.findLast((position) => position !== undefined);
  return line.end !== undefined && endPoint ? [...marks, ...endMarks(endPoint, line.end, tone, right)] : marks;
}

/** Draws a cross with a label above it. The label ends before `right`, and stays readable over other lines. */
function endMarks({ x, y }: { readonly x: number; readonly y: number }, label: string, tone: Tone, right: number): Mark[] {
  const crossRadius = 5;
  const width = textWidth(label, LABEL_SIZE, true);
  const left = Math.min(x + crossRadius, right - width);
  return [
    {
      kind: 'path',
      tone,
      d: `M${x - crossRadius},${y - crossRadius}L${x + crossRadius},${y + crossRadius}M${x - crossRadius},${y + crossRadius}L${x + crossRadius},${y - crossRadius}`,
      stroke: 3,
    },
    { kind: 'rect', tone: 'halo', x: left - 3, y: y - crossRadius - 18, width: width + 6, height: 16, opacity: 0.85 },
    { kind: 'text', tone, bold: true, x: left, y: y - crossRadius - 10, text: label },
  ];
}
