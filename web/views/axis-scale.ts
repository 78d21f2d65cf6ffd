// Scales of axes, linear and logarithmic, with round ticks: numbers only, where a library of scales brings colours, dates and formats along. The
// ticks are those of d3-scale, to which a test compares them.

export interface AxisScale {
  /** Where a number is on the axis; NaN for one that has no place. */
  (value: number): number;
  domain(): readonly [number, number];
  /** About `count` round numbers within the domain, ascending. */
  ticks(count: number): number[];
  /** The number at a place. */
  invert(place: number): number;
  /** The same scale, but numbers outside its domain are at its ends. */
  clamped(): AxisScale;
}

type Pair = readonly [number, number];

const mix = (a: number, b: number, share: number): number => a * (1 - share) + b * share;
/** 0 at the beginning of a domain, 1 at its end; a domain without a width is all middle. */
const shareOf = (value: number, [from, to]: Pair): number => (to === from ? 0.5 : (value - from) / (to - from));

interface Way {
  readonly forth: (value: number) => number;
  readonly back: (value: number) => number;
  readonly ticks: (domain: Pair, count: number) => number[];
}

function scaleOf(way: Way, domain: Pair, range: Pair, isClamped: boolean): AxisScale {
  const inner: Pair = [way.forth(domain[0]), way.forth(domain[1])];
  const [least, most] = [Math.min(...domain), Math.max(...domain)];
  const within = (value: number): number => (isClamped ? Math.max(least, Math.min(most, value)) : value);
  const place = (value: number): number => mix(range[0], range[1], shareOf(way.forth(within(value)), inner));
  return Object.assign(place, {
    domain: () => domain,
    ticks: (count: number) => way.ticks(domain, count),
    invert: (at: number) => within(way.back(mix(inner[0], inner[1], shareOf(at, range)))),
    clamped: () => scaleOf(way, domain, range, true),
  });
}

/** The first and last tick as multiples of a step, and the step; one below 1 as the negative of its inverse, which is a whole number. */
function tickSteps(from: number, to: number, count: number): readonly [first: number, last: number, step: number] {
  const step = (to - from) / Math.max(0, count);
  const power = Math.floor(Math.log10(step));
  const excess = step / 10 ** power;
  const factor = excess >= Math.sqrt(50) ? 10 : excess >= Math.sqrt(10) ? 5 : excess >= Math.sqrt(2) ? 2 : 1;
  const isFine = power < 0;
  const unit = isFine ? 10 ** -power / factor : 10 ** power * factor;
  const multiple = (value: number): number => Math.round(isFine ? value * unit : value / unit);
  const value = (index: number): number => (isFine ? index / unit : index * unit);
  const first = multiple(from) + (value(multiple(from)) < from ? 1 : 0);
  const last = multiple(to) - (value(multiple(to)) > to ? 1 : 0);
  if (last < first && count >= 0.5 && count < 2) return tickSteps(from, to, count * 2);
  return [first, last, isFine ? -unit : unit];
}

function linearTicks([from, to]: Pair, count: number): number[] {
  if (!(count > 0)) return [];
  if (from === to) return [from];
  const [first, last, step] = tickSteps(from, to, count);
  if (!(last >= first)) return [];
  return Array.from({ length: last - first + 1 }, (_, index) => (step < 0 ? (first + index) / -step : (first + index) * step));
}

const LINEAR: Way = { forth: (value) => value, back: (value) => value, ticks: linearTicks };

export const linearScale = (domain: Pair, range: Pair): AxisScale => scaleOf(LINEAR, domain, range, false);

/** The domain, widened to round numbers. */
export function niceDomain(domain: Pair, count: number): Pair {
  let [from, to] = domain;
  let before: number | undefined;
  for (let round = 0; round < 10; round++) {
    const [, , step] = tickSteps(from, to, count);
    if (step === before) return [from, to];
    if (!(Math.abs(step) > 0)) return domain;
    [from, to] =
      step > 0
        ? [Math.floor(from / step) * step, Math.ceil(to / step) * step]
        : [Math.ceil(from * step) / step, Math.floor(to * step) / step];
    before = step;
  }
  return domain;
}

/** 1, 2 ... 9 times powers of ten, or powers of ten alone where they are many. */
function logTicks([from, to]: Pair, count: number): number[] {
  const [low, high] = [Math.log10(from), Math.log10(to)];
  const power = (exponent: number): number => Number(`1e${exponent}`);
  if (high - low >= count) return linearTicks([low, high], Math.min(high - low, count)).map(power);
  const found: number[] = [];
  for (let exponent = Math.floor(low); exponent <= Math.ceil(high); exponent++) {
    for (let digit = 1; digit < 10; digit++) {
      const tick = exponent < 0 ? digit / power(-exponent) : digit * power(exponent);
      if (tick >= from && tick <= to) found.push(tick);
    }
  }
  return found.length * 2 < count ? linearTicks([from, to], count) : found;
}

const LOG: Way = { forth: Math.log, back: Math.exp, ticks: logTicks };

/** Of positive numbers. */
export const logScale = (domain: Pair, range: Pair): AxisScale => scaleOf(LOG, domain, range, false);
