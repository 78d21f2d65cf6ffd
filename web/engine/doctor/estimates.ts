// Estimates numbers that no variation lists: the base, a common factor of all frequencies, a common offset of all positions, or a position
// per token. Each estimate maximises the sum of Re(z exp(-i a)) over pairs of channels and tokens. No angles are unwrapped, so additional
// full rotations cannot mislead the estimate.

import type { Examination } from './examination.ts';
import { numberOf, type State, scalingOf } from './state.ts';

/** The statistics z summed over the examined heads: [tokens, pairs]. */
function sumOverHeads(examination: Examination, state: State) {
  const s = examination.statisticsOf(state.planes);
  const [re, im] = [new Float64Array(s.tokens * s.pairs), new Float64Array(s.tokens * s.pairs)];
  for (let token = 0; token < s.tokens; token++)
    for (let head = 0; head < s.heads; head++)
      for (let t = 0; t < s.pairs; t++) {
        const [to, from] = [token * s.pairs + t, (token * s.heads + head) * s.pairs + t];
        re[to] = (re[to] as number) + (s.re[from] as number);
        im[to] = (im[to] as number) + (s.im[from] as number);
      }
  return { re, im, tokens: s.tokens, pairs: s.pairs };
}

/** The frequency of each pair, in radians per token. */
function frequenciesOf(examination: Examination, state: State): Float64Array | undefined {
  return examination.angles.of({ ...state, positions: [1] })?.angles;
}

const [GRID_STEP, KEPT] = [0.5, 12];

/** The sums of z [tokens, pairs], and the position of each token. */
interface Sums {
  readonly re: Float64Array;
  readonly im: Float64Array;
  readonly pairs: number;
  readonly positions: readonly number[];
}

/** Multiplies z of each token by conj(z) of the first: the product rotates by the difference of the positions. */
function relativeToFirst({ re, im, pairs, positions }: Sums): Sums {
  const at = (list: Float64Array, index: number) => list[index] as number;
  return {
    re: re.map((one, index) => one * at(re, index % pairs) + at(im, index) * at(im, index % pairs)),
    im: im.map((one, index) => one * at(re, index % pairs) - at(re, index) * at(im, index % pairs)),
    pairs,
    positions: positions.map((one) => one - (positions[0] as number)),
  };
}

/**
 * Searches from `low` to `high` for the numbers x whose angles position * frequency(x, pair) fit best. The first stage uses near tokens and a
 * coarse grid; each further stage uses tokens at eight times the distance and refines the previous result.
 */
function search(
  examination: Examination,
  state: State,
  [low, high]: readonly [number, number],
  frequency: (x: number, pair: number) => number,
): number[] {
  const all: Sums = { ...sumOverHeads(examination, state), positions: state.positions as readonly number[] };
  const isNear = all.positions.filter((position) => position !== 0 && Math.abs(position) <= 64).length >= 4;
  const start = { centres: undefined, step: 0 } as { centres: readonly number[] | undefined; step: number };
  const found = isNear ? start : refine(relativeToFirst(all), start, [low, high], frequency);
  return refine(all, found, [low, high], frequency, 1e-6).centres?.slice(0, 3) ?? [];
}

/** Refines the search until the farthest token is included and the angle of that token is known to `precision` radians. */
function refine(
  z: Sums,
  start: { readonly centres: readonly number[] | undefined; readonly step: number },
  [low, high]: readonly [number, number],
  frequency: (x: number, pair: number) => number,
  precision = Number.POSITIVE_INFINITY,
): { readonly centres: readonly number[] | undefined; readonly step: number } {
  const distance = (token: number) => Math.abs(z.positions[token] as number);
  const near = z.positions.map((_, token) => token).filter((token) => distance(token) !== 0);
  near.sort((a, b) => distance(a) - distance(b));
  const farthest = near.length > 0 ? distance(near.at(-1) as number) : 0;
  if (farthest === 0) return start;
  let reach = start.centres ? farthest : Math.max(8, distance(near[Math.min(7, near.length - 1)] as number));
  let step = GRID_STEP / reach;
  const around = (best: readonly number[], from: number) => {
    const side = Math.ceil(from / step);
    return [...new Set(best.flatMap((x) => Array.from({ length: 2 * side + 1 }, (_, at) => x + (at - side) * step)))];
  };
  let centres = start.centres
    ? around(start.centres, start.step)
    : Array.from({ length: Math.min(20000, Math.ceil((high - low) / step) + 1) }, (_, at) => low + at * step);
  for (;;) {
    const used = near.filter((token) => distance(token) <= reach).slice(-24);
    const scored = centres.map((x) => {
      let sum = 0;
      for (let t = 0; t < z.pairs; t++) {
        const w = frequency(x, t);
        for (const token of used) {
          const [angle, at] = [(z.positions[token] as number) * w, token * z.pairs + t];
          sum += (z.re[at] as number) * Math.cos(angle) + (z.im[at] as number) * Math.sin(angle);
        }
      }
      return { x, sum };
    });
    scored.sort((a, b) => b.sum - a.sum);
    const best = scored.slice(0, KEPT).map(({ x }) => x);
    if (reach >= farthest && step * farthest < precision) return { centres: best, step };
    const previousStep = step;
    step = reach >= farthest ? step / 8 : Math.min(step, GRID_STEP / Math.min(farthest, reach * 8));
    reach = Math.min(farthest, reach * 8);
    centres = around(best, previousStep);
  }
}

/** The bases from 2 to a billion that fit best, for frequencies base^(-2t / rotaryDim). */
export function estimatedBases(examination: Examination, state: State): number[] {
  const width = state.planes.rotaryDim;
  const speed = scalingOf(state.encoding) === 'linear' ? state.angleFactor / numberOf(state.encoding, 'factor', 4) : state.angleFactor;
  const found = search(examination, state, [Math.log(2), Math.log(1e9)], (x, t) => speed * Math.exp((-2 * t * x) / width));
  return found.map(Math.exp);
}

/** The best-fitting factors, from 1/64 to 64, of all angles of the state. */
export function estimatedAngleFactors(examination: Examination, state: State): number[] {
  const w = frequenciesOf(examination, state);
  if (!w) return [];
  const found = search(examination, state, [-Math.log(64), Math.log(64)], (x, t) => (w[t] as number) * Math.exp(x));
  return found.map(Math.exp);
}

/** The maximum offset that is searched: the context length of most models. */
const MAX_OFFSET = 2 ** 17;

/** Estimates the integer from -131,072 to 131,072 that is added to every position. */
export function estimatedOffset(examination: Examination, state: State): number {
  const w = frequenciesOf(examination, state);
  if (!w) return 0;
  const z = sumOverHeads(examination, state);
  const sums = new Float64Array(2 * MAX_OFFSET + 1);
  for (let t = 0; t < z.pairs; t++) {
    let [re, im] = [0, 0];
    for (let token = 0; token < z.tokens; token++) {
      const angle = ((state.positions as readonly number[])[token] as number) * (w[t] as number);
      const [cosine, sine, at] = [Math.cos(angle), Math.sin(angle), token * z.pairs + t];
      re += (z.re[at] as number) * cosine + (z.im[at] as number) * sine;
      im += (z.im[at] as number) * cosine - (z.re[at] as number) * sine;
    }
    // Re((re + i im) exp(-i n w)) is computed for each n from the value for n - 1, by a rotation of -w.
    const [turnRe, turnIm] = [Math.cos(w[t] as number), -Math.sin(w[t] as number)];
    const start = MAX_OFFSET * (w[t] as number);
    [re, im] = [re * Math.cos(start) - im * Math.sin(start), im * Math.cos(start) + re * Math.sin(start)];
    for (let at = 0; at < sums.length; at++) {
      sums[at] = (sums[at] as number) + re;
      [re, im] = [re * turnRe - im * turnIm, re * turnIm + im * turnRe];
    }
  }
  let best = 0;
  for (let at = 1; at < sums.length; at++) if ((sums[at] as number) > (sums[best] as number)) best = at;
  return best - MAX_OFFSET;
}

/**
 * The position of each token individually: an integer from the smallest claimed position minus 64 to the largest plus 1024, or from 0 to
 * 1024.
 */
export function estimatedPositions(examination: Examination, state: State): number[] | undefined {
  const w = frequenciesOf(examination, state);
  if (!w) return undefined;
  const z = sumOverHeads(examination, state);
  const claimed = state.positions as readonly number[];
  const [least, most] = [Math.min(...claimed, 0) - 64, Math.max(...claimed) + 1024];
  // Positions may be below 0 and above the ids, but the range is limited, because the table of cosines has a row per position.
  const [low, count] = [most - least > 40000 ? most - 40000 : least, Math.min(most - least, 40000) + 1];
  const [cosine, sine] = [new Float32Array(count * z.pairs), new Float32Array(count * z.pairs)];
  for (let n = 0; n < count; n++)
    for (let t = 0; t < z.pairs; t++) {
      cosine[n * z.pairs + t] = Math.cos((low + n) * (w[t] as number));
      sine[n * z.pairs + t] = Math.sin((low + n) * (w[t] as number));
    }
  const offsets = claimed.map((own, token) => {
    let [best, largest] = [Number.NaN, 0];
    for (let n = 0; n < count; n++) {
      let sum = 0;
      for (let t = 0; t < z.pairs; t++) {
        const [at, to] = [token * z.pairs + t, n * z.pairs + t];
        sum += (z.re[at] as number) * (cosine[to] as number) + (z.im[at] as number) * (sine[to] as number);
      }
      if (sum > largest) [best, largest] = [low + n, sum];
    }
    return best - own;
  });
  // A token whose vectors are 0, such as padding, has no estimate: it takes the offset of the previous token, or of the first token with an
  // estimate.
  let last = offsets.find((offset) => !Number.isNaN(offset)) ?? 0;
  return offsets.map((offset, token) => {
    if (!Number.isNaN(offset)) last = offset;
    return (claimed[token] as number) + last;
  });
}

/** The rounded number with the fewest digits for which `isAsGood` is true, or the number itself. */
export function rounded(value: number, isAsGood: (value: number) => boolean): number {
  for (let digits = 1; digits <= 6; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.abs(short / value - 1) < 0.02 && isAsGood(short)) return short;
  }
  return value;
}
