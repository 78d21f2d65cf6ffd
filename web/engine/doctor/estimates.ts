// Estimates quantities with too many possible values to try each: the base, a common factor of all frequencies, a common offset of all positions, or
// the position of each token. Each estimate maximises the sum of Re(z exp(-i a)) over channel pairs and tokens; z is defined in planes.ts, and a is
// the predicted angle.

import type { Examination } from './examination.ts';
import { numberParam, type State, scalingOf } from './state.ts';

/** Sums z over the examined heads: [tokens, pairs]. */
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

/** Returns the frequency of each pair in radians per token. */
function frequenciesOf(examination: Examination, state: State): Float64Array | undefined {
  return examination.angles.computeAngles({ ...state, positions: [1] })?.angles;
}

const [GRID_STEP, MAX_CANDIDATES] = [0.5, 12];

/** Real and imaginary parts of z, summed over heads: [tokens, pairs]. */
interface Sums {
  readonly re: Float64Array;
  readonly im: Float64Array;
  readonly pairs: number;
  readonly positions: readonly number[];
}

/** Multiplies each token's z by the conjugate of the first token's z, so that angles are relative to the first position. */
function relativeToFirst({ re, im, pairs, positions }: Sums): Sums {
  const at = (list: Float64Array, index: number) => list[index] as number;
  return {
    re: re.map((value, index) => value * at(re, index % pairs) + at(im, index) * at(im, index % pairs)),
    im: im.map((value, index) => value * at(re, index % pairs) - at(re, index) * at(im, index % pairs)),
    pairs,
    positions: positions.map((value) => value - (positions[0] as number)),
  };
}

/**
 * Finds up to three values x between `low` and `high` for which the angles position * frequency(x, pair) fit best. Searches a coarse grid with tokens
 * at small distances, then refines the best values in stages, each with distances up to eight times larger.
 */
function searchBestFits(
  examination: Examination,
  state: State,
  [low, high]: readonly [number, number],
  frequency: (x: number, pair: number) => number,
): number[] {
  const tokenSums: Sums = { ...sumOverHeads(examination, state), positions: state.positions as readonly number[] };
  const hasNearTokens = tokenSums.positions.filter((position) => position !== 0 && Math.abs(position) <= 64).length >= 4;
  const initialResult = { centres: undefined, step: 0 } as { centres: readonly number[] | undefined; step: number };
  const approximation = hasNearTokens ? initialResult : refine(relativeToFirst(tokenSums), initialResult, [low, high], frequency);
  return refine(tokenSums, approximation, [low, high], frequency, 1e-6).centres?.slice(0, 3) ?? [];
}

/** Refines the search until it includes the farthest token, and its angle is accurate to `precision` radians. */
function refine(
  z: Sums,
  start: { readonly centres: readonly number[] | undefined; readonly step: number },
  [low, high]: readonly [number, number],
  frequency: (x: number, pair: number) => number,
  precision = Number.POSITIVE_INFINITY,
): { readonly centres: readonly number[] | undefined; readonly step: number } {
  const distance = (token: number) => Math.abs(z.positions[token] as number);
  const tokensByDistance = z.positions.map((_, token) => token).filter((token) => distance(token) !== 0);
  tokensByDistance.sort((a, b) => distance(a) - distance(b));
  const farthestDistance = tokensByDistance.length > 0 ? distance(tokensByDistance.at(-1) as number) : 0;
  if (farthestDistance === 0) return start;
  let maxDistance = start.centres
    ? farthestDistance
    : Math.max(8, distance(tokensByDistance[Math.min(7, tokensByDistance.length - 1)] as number));
  let step = GRID_STEP / maxDistance;
  const gridAround = (bestValues: readonly number[], extent: number) => {
    const radius = Math.ceil(extent / step);
    return [...new Set(bestValues.flatMap((x) => Array.from({ length: 2 * radius + 1 }, (_, at) => x + (at - radius) * step)))];
  };
  let centres = start.centres
    ? gridAround(start.centres, start.step)
    : Array.from({ length: Math.min(20000, Math.ceil((high - low) / step) + 1) }, (_, at) => low + at * step);
  for (;;) {
    const usedTokens = tokensByDistance.filter((token) => distance(token) <= maxDistance).slice(-24);
    const scoredCandidates = centres.map((x) => {
      let sum = 0;
      for (let t = 0; t < z.pairs; t++) {
        const w = frequency(x, t);
        for (const token of usedTokens) {
          const [angle, at] = [(z.positions[token] as number) * w, token * z.pairs + t];
          sum += (z.re[at] as number) * Math.cos(angle) + (z.im[at] as number) * Math.sin(angle);
        }
      }
      return { x, sum };
    });
    scoredCandidates.sort((a, b) => b.sum - a.sum);
    const best = scoredCandidates.slice(0, MAX_CANDIDATES).map(({ x }) => x);
    if (maxDistance >= farthestDistance && step * farthestDistance < precision) return { centres: best, step };
    const previousStep = step;
    step = maxDistance >= farthestDistance ? step / 8 : Math.min(step, GRID_STEP / Math.min(farthestDistance, maxDistance * 8));
    maxDistance = Math.min(farthestDistance, maxDistance * 8);
    centres = gridAround(best, previousStep);
  }
}

/** Estimates the base (2 to 1e9) of the frequencies base^(-2t / rotaryDim). Returns up to three candidates. */
export function estimateBases(examination: Examination, state: State): number[] {
  const { rotaryDim } = state.planes;
  const angleScale =
    scalingOf(state.encoding) === 'linear' ? state.angleFactor / numberParam(state.encoding, 'factor', 4) : state.angleFactor;
  const logBases = searchBestFits(
    examination,
    state,
    [Math.log(2), Math.log(1e9)],
    (x, t) => angleScale * Math.exp((-2 * t * x) / rotaryDim),
  );
  return logBases.map(Math.exp);
}

/** Estimates the factor (1/64 to 64) by which all angles are multiplied. Returns up to three candidates. */
export function estimateAngleFactors(examination: Examination, state: State): number[] {
  const w = frequenciesOf(examination, state);
  if (!w) return [];
  const logFactors = searchBestFits(examination, state, [-Math.log(64), Math.log(64)], (x, t) => (w[t] as number) * Math.exp(x));
  return logFactors.map(Math.exp);
}

/** Largest offset that is tried: at least the context length of most models. */
const MAX_OFFSET = 2 ** 17;

/** Estimates the integer offset (at most MAX_OFFSET in magnitude) that is added to every position. */
export function estimateOffset(examination: Examination, state: State): number {
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
    // Computes Re((re + i im) exp(-i n w)) for each offset n from the value for n - 1, by rotating it by -w.
    const [stepRe, stepIm] = [Math.cos(w[t] as number), -Math.sin(w[t] as number)];
    const start = MAX_OFFSET * (w[t] as number);
    [re, im] = [re * Math.cos(start) - im * Math.sin(start), im * Math.cos(start) + re * Math.sin(start)];
    for (let at = 0; at < sums.length; at++) {
      sums[at] = (sums[at] as number) + re;
      [re, im] = [re * stepRe - im * stepIm, re * stepIm + im * stepRe];
    }
  }
  let bestIndex = 0;
  for (let at = 1; at < sums.length; at++) if ((sums[at] as number) > (sums[bestIndex] as number)) bestIndex = at;
  return bestIndex - MAX_OFFSET;
}

/** Returns the best-fitting position of each token, which may be outside the range of the claimed positions. */
export function estimatePositions(examination: Examination, state: State): number[] | undefined {
  const w = frequenciesOf(examination, state);
  if (!w) return undefined;
  const z = sumOverHeads(examination, state);
  const claimed = state.positions as readonly number[];
  const [lowest, highest] = [Math.min(...claimed, 0) - 64, Math.max(...claimed) + 1024];
  // The number of positions is limited, because the cosine and sine tables have one row per position.
  const [low, count] = [highest - lowest > 40000 ? highest - 40000 : lowest, Math.min(highest - lowest, 40000) + 1];
  const [cosine, sine] = [new Float32Array(count * z.pairs), new Float32Array(count * z.pairs)];
  for (let n = 0; n < count; n++)
    for (let t = 0; t < z.pairs; t++) {
      cosine[n * z.pairs + t] = Math.cos((low + n) * (w[t] as number));
      sine[n * z.pairs + t] = Math.sin((low + n) * (w[t] as number));
    }
  const offsets = claimed.map((claimedPosition, token) => {
    let [bestPosition, maxSum] = [Number.NaN, 0];
    for (let n = 0; n < count; n++) {
      let sum = 0;
      for (let t = 0; t < z.pairs; t++) {
        const [at, to] = [token * z.pairs + t, n * z.pairs + t];
        sum += (z.re[at] as number) * (cosine[to] as number) + (z.im[at] as number) * (sine[to] as number);
      }
      if (sum > maxSum) [bestPosition, maxSum] = [low + n, sum];
    }
    return bestPosition - claimedPosition;
  });
  // Tokens with zero vectors, such as padding, have no estimate. They use the offset of the previous token or, at the start, the first estimate.
  let lastOffset = offsets.find((offset) => !Number.isNaN(offset)) ?? 0;
  return offsets.map((offset, token) => {
    if (!Number.isNaN(offset)) lastOffset = offset;
    return (claimed[token] as number) + lastOffset;
  });
}

/** Rounds to as few digits (at most six) as `isAsGood` accepts. Returns the value unchanged if it accepts none. */
export function roundIfAsGood(value: number, isAsGood: (value: number) => boolean): number {
  for (let digits = 1; digits <= 6; digits++) {
    const roundedValue = Number(value.toPrecision(digits));
    if (Math.abs(roundedValue / value - 1) < 0.02 && isAsGood(roundedValue)) return roundedValue;
  }
  return value;
}
