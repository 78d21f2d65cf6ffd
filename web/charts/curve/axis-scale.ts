// Linear and logarithmic scales of axes with the round ticks of d3-array. These scales handle only numbers; d3-scale also has colours, dates and
// formats. A test compares them with d3-scale.
import { nice, ticks } from 'd3-array';

export interface AxisScale {
  /** Returns the coordinate of a number; NaN if undefined. */
  (value: number): number;
  domain(): readonly [number, number];
  /** Returns about `count` round numbers within the domain, ascending. */
  ticks(count: number): number[];
  /** Returns the number at a coordinate. */
  invert(position: number): number;
  /** Returns a scale that clamps numbers outside the domain. */
  clamped(): AxisScale;
}

type Pair = readonly [number, number];

const interpolate = (a: number, b: number, share: number): number => a * (1 - share) + b * share;
/** The relative position of a value in a domain: 0 at the start, 1 at the end; 0.5 everywhere in an empty domain. */
const shareOf = (value: number, [from, to]: Pair): number => (to === from ? 0.5 : (value - from) / (to - from));

interface Transform {
  readonly forth: (value: number) => number;
  readonly back: (value: number) => number;
  readonly ticks: (domain: Pair, count: number) => number[];
}

function scaleOf(way: Transform, domain: Pair, range: Pair, isClamped: boolean): AxisScale {
  const inner: Pair = [way.forth(domain[0]), way.forth(domain[1])];
  const [least, most] = [Math.min(...domain), Math.max(...domain)];
  const clamp = (value: number): number => (isClamped ? Math.max(least, Math.min(most, value)) : value);
  const location = (value: number): number => interpolate(range[0], range[1], shareOf(way.forth(clamp(value)), inner));
  return Object.assign(location, {
    domain: () => domain,
    ticks: (count: number) => way.ticks(domain, count),
    invert: (at: number) => clamp(way.back(interpolate(inner[0], inner[1], shareOf(at, range)))),
    clamped: () => scaleOf(way, domain, range, true),
  });
}

const LINEAR: Transform = { forth: (value) => value, back: (value) => value, ticks: ([from, to], count) => ticks(from, to, count) };

export const linearScale = (domain: Pair, range: Pair): AxisScale => scaleOf(LINEAR, domain, range, false);

/** The domain, widened to round numbers. */
export const niceDomain = ([from, to]: Pair, count: number): Pair => nice(from, to, count);

const DIGITS = [1, 2, 3, 4, 5, 6, 7, 8, 9];

/** Ticks at 1, 2 ... 9 times powers of ten; only at powers of ten if these suffice; at linear steps if both are too few. */
function logTicks([from, to]: Pair, count: number): number[] {
  const [low, high] = [Math.log10(from), Math.log10(to)];
  if (high - low >= count) return ticks(low, high, count).map((exponent) => Number(`1e${exponent}`));
  const first = Math.floor(low);
  const exponents = Array.from({ length: Math.ceil(high) - first + 1 }, (_, index) => first + index);
  const logTicks = exponents
    .flatMap((exponent) => DIGITS.map((digit) => Number(`${digit}e${exponent}`)))
    .filter((tick) => tick >= from && tick <= to);
  return logTicks.length * 2 < count ? ticks(from, to, count) : logTicks;
}

const LOG: Transform = { forth: Math.log, back: Math.exp, ticks: logTicks };

/** A scale of positive numbers. */
export const logScale = (domain: Pair, range: Pair): AxisScale => scaleOf(LOG, domain, range, false);
