// One line of a curve: its points, its range and its colour.
import { scaleLinear } from 'd3-scale';
import { extent } from './grid.ts';
import type { Tone } from './picture.ts';

export interface Series {
  readonly name: string;
  /** Points in order of x; a y that is not finite leaves a gap. */
  readonly x: ArrayLike<number>;
  readonly y: ArrayLike<number>;
}

const TONES: readonly Tone[] = ['series-1', 'series-2', 'series-3', 'series-4', 'series-5', 'series-6'];
/** The colour of the line with this index. */
export const toneOf = (index: number): Tone => TONES[index % TONES.length] as Tone;

/** A domain of positive width, even for one point or none. */
export function domain(values: readonly number[], round: boolean): [number, number] {
  const { min, max } = extent(values);
  if (Number.isNaN(min)) return [0, 1];
  const pad = min === max ? Math.abs(min) / 2 || 0.5 : 0;
  const [lo, hi] = [min - pad, max + pad];
  return round ? (scaleLinear([lo, hi], [0, 1]).nice(5).domain() as [number, number]) : [lo, hi];
}

/** The last finite point of a series. */
export function lastPoint({ x, y }: Series): { x: number; y: number } | undefined {
  for (let i = Math.min(x.length, y.length) - 1; i >= 0; i--) {
    const point = { x: x[i] as number, y: y[i] as number };
    if (Number.isFinite(point.x) && Number.isFinite(point.y)) return point;
  }
  return undefined;
}

/** The point of a series nearest to an x. */
export function nearest({ x, y }: Series, at: number): { x: number; y: number } | undefined {
  let best: { x: number; y: number } | undefined;
  for (let i = 0; i < Math.min(x.length, y.length); i++) {
    const point = { x: x[i] as number, y: y[i] as number };
    if (Number.isFinite(point.y) && (!best || Math.abs(point.x - at) < Math.abs(best.x - at))) best = point;
  }
  return best;
}
