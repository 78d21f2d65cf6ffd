// Linear and logarithmic scales with the round ticks of d3-array. Unlike d3-scale, they handle only numbers.
import { nice, ticks } from 'd3-array';

export interface AxisScale {
  /** Returns the coordinate of a value, or NaN if it has none. */
  (value: number): number;
  domain(): readonly [number, number];
  /** Returns about `count` round numbers within the domain, ascending. */
  ticks(count: number): number[];
  invert(position: number): number;
  clamped(): AxisScale;
}

type Interval = readonly [number, number];

const interpolate = (a: number, b: number, fraction: number): number => a * (1 - fraction) + b * fraction;
/** Returns the position of a value relative to a domain: 0 at its start, 1 at its end. In an empty domain, returns 0.5. */
const fractionOf = (value: number, [from, to]: Interval): number => (to === from ? 0.5 : (value - from) / (to - from));

interface Transform {
  readonly forward: (value: number) => number;
  readonly inverse: (value: number) => number;
  readonly ticks: (domain: Interval, count: number) => number[];
}

function createScale(transform: Transform, domain: Interval, range: Interval, isClamped: boolean): AxisScale {
  const transformedDomain: Interval = [transform.forward(domain[0]), transform.forward(domain[1])];
  const [minimum, maximum] = [Math.min(...domain), Math.max(...domain)];
  const clamp = (value: number): number => (isClamped ? Math.max(minimum, Math.min(maximum, value)) : value);
  const coordinateOf = (value: number): number =>
    interpolate(range[0], range[1], fractionOf(transform.forward(clamp(value)), transformedDomain));
  return Object.assign(coordinateOf, {
    domain: () => domain,
    ticks: (count: number) => transform.ticks(domain, count),
    invert: (at: number) => clamp(transform.inverse(interpolate(transformedDomain[0], transformedDomain[1], fractionOf(at, range)))),
    clamped: () => createScale(transform, domain, range, true),
  });
}

const LINEAR_TRANSFORM: Transform = {
  forward: (value) => value,
  inverse: (value) => value,
  ticks: ([from, to], count) => ticks(from, to, count),
};

export const linearScale = (domain: Interval, range: Interval): AxisScale => createScale(LINEAR_TRANSFORM, domain, range, false);

export const niceDomain = ([from, to]: Interval, count: number): Interval => nice(from, to, count);

const DIGITS = [1, 2, 3, 4, 5, 6, 7, 8, 9];

/**
 * Ticks of a logarithmic axis: powers of ten, together with multiples of them if there are too few. In a narrow interval, the ticks are those of a
 * linear axis.
 */
function logTicks([from, to]: Interval, count: number): number[] {
  const [low, high] = [Math.log10(from), Math.log10(to)];
  if (high - low >= count) return ticks(low, high, count).map((exponent) => Number(`1e${exponent}`));
  const firstExponent = Math.floor(low);
  const exponents = Array.from({ length: Math.ceil(high) - firstExponent + 1 }, (_, index) => firstExponent + index);
  const candidateTicks = exponents
    .flatMap((exponent) => DIGITS.map((digit) => Number(`${digit}e${exponent}`)))
    .filter((tick) => tick >= from && tick <= to);
  return candidateTicks.length * 2 < count ? ticks(from, to, count) : candidateTicks;
}

const LOG_TRANSFORM: Transform = { forward: Math.log, inverse: Math.exp, ticks: logTicks };

/** A logarithmic scale for positive values. */
export const logScale = (domain: Interval, range: Interval): AxisScale => createScale(LOG_TRANSFORM, domain, range, false);
