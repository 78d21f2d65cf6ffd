// Where a dump departs from a state: by token and pair, and its first number.

import type { Examination } from './examination.ts';
import { EXPLAINED, fitOf, WORST_TOKEN } from './fit.ts';
import { channelsOf, planeStatistics } from './planes.ts';
import type { FirstDifference } from './report.ts';
import type { State } from './state.ts';

/** The first number that is off by more than this many times the noise. */
const VISIBLE = 6;
export const range = (count: number) => Array.from({ length: count }, (_, index) => index);

/** [tokens, pairs] of the sample: |dump - prediction| / |dump| in the plane of each pair. */
export function residualMap(examination: Examination, state: State): Float64Array {
  const s = examination.statisticsOf(state.planes);
  const predicted = examination.angles.of(state);
  const map = new Float64Array(s.tokens * s.pairs);
  if (!predicted) return map;
  for (let token = 0; token < s.tokens; token++)
    for (let t = 0; t < s.pairs; t++) {
      let [squares, after] = [0, 0];
      for (let head = 0; head < s.heads; head++) {
        const cell = (token * s.heads + head) * s.pairs + t;
        const angle = predicted.angles[predicted.perHead ? cell : token * s.pairs + t] as number;
        const projected = (s.re[cell] as number) * Math.cos(angle) + (s.im[cell] as number) * Math.sin(angle);
        squares += Math.max(0, (s.after[cell] as number) + state.gain ** 2 * (s.before[cell] as number) - 2 * state.gain * projected);
        after += s.after[cell] as number;
      }
      map[token * s.pairs + t] = after > 0 ? Math.sqrt(squares / after) : squares > 0 ? 1 : 0;
    }
  return map;
}

/**
 * The first token whose error against `state` is above six times the noise over all heads, and its first such channel. With `isWorst` the limit is
 * that of an explanation for a single token.
 */
export function firstDifference(examination: Examination, state: State, isWorst = false): FirstDifference | undefined {
  const { before, after, noise } = examination;
  const heads = range(before.heads);
  const rows = Math.max(1, Math.floor(65536 / (before.heads * before.dim)));
  // Positions of heads need a table of angles for all heads.
  const angles = state.heads ? undefined : examination.angles.of(state);
  if (!angles) return undefined;
  const pairs = state.planes.rotaryDim / 2;
  for (let from = 0; from < before.tokens; from += rows) {
    const tokens = range(Math.min(rows, before.tokens - from)).map((step) => from + step);
    const s = planeStatistics(before, after, state.planes, tokens, heads);
    for (let row = 0; row < tokens.length; row++) {
      const token = tokens[row] as number;
      const one = {
        ...s,
        tokens: 1,
        re: s.re.subarray(row * s.heads * pairs, (row + 1) * s.heads * pairs),
        im: s.im.subarray(row * s.heads * pairs, (row + 1) * s.heads * pairs),
        before: s.before.subarray(row * s.heads * pairs, (row + 1) * s.heads * pairs),
        after: s.after.subarray(row * s.heads * pairs, (row + 1) * s.heads * pairs),
        restDifference: s.restDifference.subarray(row, row + 1),
        restAfter: s.restAfter.subarray(row, row + 1),
      };
      const prediction = { angles: angles.angles.subarray(token * pairs, (token + 1) * pairs), gain: state.gain };
      const fit = fitOf(one, prediction, noise);
      if (fit.score <= (isWorst ? WORST_TOKEN * EXPLAINED : VISIBLE)) continue;
      return { token, ...firstChannel(examination, state, token, prediction.angles) };
    }
  }
  return undefined;
}

function firstChannel(
  { before, after, noise }: Examination,
  { planes, gain }: State,
  token: number,
  angles: Float64Array,
): { channel?: number } {
  const [squares, lengths] = [new Float64Array(before.dim), new Float64Array(before.dim)];
  for (let head = 0; head < before.heads; head++) {
    const predicted = new Float64Array(before.dim);
    const x = (channel: number) => before.data[token * before.tokenStride + head * before.headStride + channel] as number;
    for (let channel = 0; channel < before.dim; channel++) predicted[channel] = x(channel);
    angles.forEach((angle, t) => {
      const [a, b] = channelsOf(planes, t);
      const [c, d] = channelsOf({ ...planes, layout: planes.output ?? planes.layout }, t);
      const [cosine, sine] = [gain * Math.cos(angle), gain * Math.sin(angle)];
      predicted[c] = x(a) * cosine - x(b) * sine;
      predicted[d] = x(b) * cosine + x(a) * sine;
    });
    for (let channel = 0; channel < before.dim; channel++) {
      const y = after.data[token * after.tokenStride + head * after.headStride + channel] as number;
      squares[channel] = (squares[channel] as number) + (y - (predicted[channel] as number)) ** 2;
      lengths[channel] = (lengths[channel] as number) + y * y;
    }
  }
  const channel = squares.findIndex((square, at) => Math.sqrt(square) > VISIBLE * noise * Math.sqrt(lengths[at] as number));
  return channel < 0 ? {} : { channel };
}
