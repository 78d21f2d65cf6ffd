// Paths through points, with gaps where a point is missing.
import { area, curveLinear, curveStep, line } from 'd3-shape';

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Hundredths of a pixel are as exact as a picture needs. */
const DIGITS = 2;
const isThere = (point: unknown): boolean => point !== undefined;

/** A line; with 'step' level around every point. A point without neighbours is a dot. Empty where there is nothing to draw. */
export function linePath(points: readonly (Point | undefined)[], shape: 'line' | 'step' = 'line'): string {
  const path = line<Point | undefined>(
    (point) => (point as Point).x,
    (point) => (point as Point).y,
  ).digits(DIGITS);
  return path.defined(isThere).curve(shape === 'step' ? curveStep : curveLinear)(points) ?? '';
}

/** A place of an area: it reaches from `low` to `high`. */
export interface Span {
  readonly x: number;
  readonly low: number;
  readonly high: number;
}

export function areaPath(spans: readonly (Span | undefined)[]): string {
  const path = area<Span | undefined>(
    (span) => (span as Span).x,
    (span) => (span as Span).low,
    (span) => (span as Span).high,
  ).digits(DIGITS);
  return path.defined(isThere)(spans) ?? '';
}
