// Statistics of rotated channel pairs. Each pair is a complex number, X before the rotation and Y after it. z = conj(X) Y and the squared lengths
// determine the residual for any angle a and gain m: |Y - m exp(i a) X|^2 = |Y|^2 + m^2 |X|^2 - 2 m Re(z exp(-i a)).

import type { Vectors } from './dump.ts';

export type PairLayout = 'interleaved' | 'half_split';

export interface Planes {
  readonly layout: PairLayout;
  readonly rotaryDim: number;
  readonly offset: number;
  /** For 'half_split': channels i and i + span / 2 form a pair. Default: rotaryDim. */
  readonly span?: number;
  /** Pair layout of the output, if it differs from that of the input. */
  readonly output?: PairLayout;
}

export function channelsOf({ layout, rotaryDim, offset, span = rotaryDim }: Planes, t: number): readonly [number, number] {
  return layout === 'interleaved' ? [offset + 2 * t, offset + 2 * t + 1] : [offset + t, offset + t + span / 2];
}

/** Returns the input and output channels of each pair: [pairs, 2] each. */
export function pairChannels(planes: Planes): { readonly read: Int32Array; readonly written: Int32Array } {
  const channels = (one: Planes) => Int32Array.from({ length: planes.rotaryDim }, (_, at) => channelsOf(one, at >> 1)[at & 1] as number);
  return { read: channels(planes), written: channels({ ...planes, layout: planes.output ?? planes.layout }) };
}

export const planesKey = ({ layout, rotaryDim, offset, span, output }: Planes) =>
  `${layout} ${rotaryDim} ${offset} ${span ?? rotaryDim} ${output ?? layout}`;

export interface PlaneStatistics {
  readonly tokens: number;
  readonly heads: number;
  readonly pairs: number;
  /** Real and imaginary parts of z, and the squared lengths |X|^2 and |Y|^2: [tokens, heads, pairs] each. */
  readonly re: Float64Array;
  readonly im: Float64Array;
  readonly inputLengths: Float64Array;
  readonly outputLengths: Float64Array;
  /** For the unrotated channels: the squared difference, and the squared length after the rotation. [tokens] each. */
  readonly unrotatedErrors: Float64Array;
  readonly unrotatedLengths: Float64Array;
  readonly unrotatedCount: number;
}

export function planeStatistics(
  before: Vectors,
  after: Vectors,
  planes: Planes,
  tokens: readonly number[],
  heads: readonly number[],
): PlaneStatistics {
  const pairs = planes.rotaryDim / 2;
  const size = tokens.length * heads.length * pairs;
  const [re, im, lengthBefore, lengthAfter] = [0, 0, 0, 0].map(() => new Float64Array(size)) as [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  const [unrotatedErrors, unrotatedLengths] = [new Float64Array(tokens.length), new Float64Array(tokens.length)];
  const rotatedFlags = new Uint8Array(before.dim);
  const { read, written } = pairChannels(planes);
  for (const channel of read) rotatedFlags[channel] = 1;
  let cell = 0;
  tokens.forEach((token, row) => {
    for (const head of heads) {
      const beforeOffset = token * before.tokenStride + head * before.headStride;
      const afterOffset = token * after.tokenStride + head * after.headStride;
      for (let t = 0; t < pairs; t++, cell++) {
        const xa = before.data[beforeOffset + (read[2 * t] as number)] as number;
        const xb = before.data[beforeOffset + (read[2 * t + 1] as number)] as number;
        const ya = after.data[afterOffset + (written[2 * t] as number)] as number;
        const yb = after.data[afterOffset + (written[2 * t + 1] as number)] as number;
        re[cell] = xa * ya + xb * yb;
        im[cell] = xa * yb - xb * ya;
        lengthBefore[cell] = xa * xa + xb * xb;
        lengthAfter[cell] = ya * ya + yb * yb;
      }
      for (let channel = 0; channel < before.dim; channel++) {
        if (rotatedFlags[channel]) continue;
        const y = after.data[afterOffset + channel] as number;
        const difference = y - (before.data[beforeOffset + channel] as number);
        unrotatedErrors[row] = (unrotatedErrors[row] as number) + difference * difference;
        unrotatedLengths[row] = (unrotatedLengths[row] as number) + y * y;
      }
    }
  });
  return {
    tokens: tokens.length,
    heads: heads.length,
    pairs,
    re,
    im,
    inputLengths: lengthBefore,
    outputLengths: lengthAfter,
    unrotatedErrors,
    unrotatedLengths,
    unrotatedCount: (before.dim - planes.rotaryDim) * heads.length,
  };
}

/**
 * Returns the minimum of |dump - prediction| / |dump| over all rotations of these channel pairs: a lower bound for the residual of every candidate.
 * Each token and pair has a free angle, with `perHead` also each head. All share one gain.
 */
export function freeResidual(s: PlaneStatistics, perHead: boolean): number {
  let [sumZ, sumBefore, sumAfter, unrotatedError] = [0, 0, 0, 0];
  for (let token = 0; token < s.tokens; token++) {
    unrotatedError += s.unrotatedErrors[token] as number;
    sumAfter += s.unrotatedLengths[token] as number;
    for (let t = 0; t < s.pairs; t++) {
      let [re, im] = [0, 0];
      for (let head = 0; head < s.heads; head++) {
        const cell = (token * s.heads + head) * s.pairs + t;
        re += s.re[cell] as number;
        im += s.im[cell] as number;
        sumBefore += s.inputLengths[cell] as number;
        sumAfter += s.outputLengths[cell] as number;
        if (perHead) {
          sumZ += Math.hypot(re, im);
          re = 0;
          im = 0;
        }
      }
      sumZ += Math.hypot(re, im);
    }
  }
  const explainedLength = sumBefore > 0 ? (sumZ * sumZ) / sumBefore : 0;
  const rotatedAfter = sumAfter - s.unrotatedLengths.reduce((sum, value) => sum + value, 0);
  return sumAfter > 0 ? Math.sqrt(Math.max(0, rotatedAfter - explainedLength + unrotatedError) / sumAfter) : 0;
}
