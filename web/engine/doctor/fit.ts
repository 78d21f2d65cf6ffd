// Measures how well a predicted rotation explains dumped vectors, relative to their rounding error.

import type { PlaneStatistics } from './planes.ts';

/** Rounding error of a float32 angle, per radian. The frequency, the product and the result are each rounded. */
export const ANGLE_NOISE = 1.6e-7;
/** Largest residual of an accepted explanation, as a multiple of the noise. */
export const MAX_RESIDUAL = 2.6;
/** Largest residual of a single token in an accepted explanation, as a multiple of MAX_RESIDUAL. */
export const MAX_TOKEN_RATIO = 4;

export interface Fit {
  /** |dump - prediction| / |dump|, over the examined tokens and heads. */
  readonly residual: number;
  /** The largest residual that rounding can explain. */
  readonly rounding: number;
  /** The residual as a multiple of the noise. */
  readonly score: number;
  /** `score` squared, times the number of values. Uses `bestScore` instead if `bestGain` equals the predicted gain within the noise. */
  readonly chi2: number;
  readonly isExplanation: boolean;
  /** The gain that minimises the residual for these angles. */
  readonly bestGain: number;
  readonly bestScore: number;
}

/** A predicted rotation: angles [tokens, pairs], or [tokens, heads, pairs] if `perHead`, and the gain applied to cosines and sines. */
export interface Prediction {
  readonly angles: ArrayLike<number>;
  readonly perHead?: boolean;
  readonly gain: number;
}

export function measureFit(s: PlaneStatistics, { angles, perHead = false, gain }: Prediction, noise: number): Fit {
  const cellsPerToken = s.heads * s.pairs;
  let [sumSquares, sumNoise, sumAfter, sumProjected, sumBefore] = [0, 0, 0, 0, 0];
  let worstRatio = 0;
  for (let token = 0; token < s.tokens; token++) {
    let squaredError = s.unrotatedErrors[token] as number;
    let squaredLength = s.unrotatedLengths[token] as number;
    let expectedSquaredError = squaredLength * noise * noise;
    for (let t = 0; t < s.pairs; t++) {
      let [cosine, sine, variance] = [1, 0, 0];
      for (let head = 0; head < s.heads; head++) {
        if (head === 0 || perHead) {
          const angle = angles[perHead ? (token * s.heads + head) * s.pairs + t : token * s.pairs + t] as number;
          cosine = Math.cos(angle);
          sine = Math.sin(angle);
          variance = noise * noise + (ANGLE_NOISE * angle) ** 2;
        }
        const cellIndex = token * cellsPerToken + head * s.pairs + t;
        const [squaredInput, squaredOutput] = [s.inputLengths[cellIndex] as number, s.outputLengths[cellIndex] as number];
        const projected = (s.re[cellIndex] as number) * cosine + (s.im[cellIndex] as number) * sine;
        squaredError += Math.max(0, squaredOutput + gain * gain * squaredInput - 2 * gain * projected);
        expectedSquaredError += squaredOutput * variance;
        squaredLength += squaredOutput;
        sumProjected += projected;
        sumBefore += squaredInput;
      }
    }
    sumSquares += squaredError;
    sumNoise += expectedSquaredError;
    sumAfter += squaredLength;
    if (expectedSquaredError > 0) worstRatio = Math.max(worstRatio, squaredError / expectedSquaredError);
    else if (squaredError > 0) worstRatio = Number.POSITIVE_INFINITY;
  }
  const numberCount = s.tokens * (2 * cellsPerToken + s.unrotatedCount);
  const score = sumNoise > 0 ? Math.sqrt(sumSquares / sumNoise) : sumSquares > 0 ? Number.POSITIVE_INFINITY : 0;
  const bestGain = sumBefore > 0 ? sumProjected / sumBefore : gain;
  const bestScore = sumNoise > 0 ? Math.sqrt(Math.max(0, score * score - ((gain - bestGain) ** 2 * sumBefore) / sumNoise)) : score;
  // A gain error within the noise is not a fault: slow pairs have cosines near 1, whose common rounding error acts like a gain.
  const isWithinNoise = Math.abs(bestGain - gain) < noise * Math.abs(gain);
  return {
    bestGain,
    bestScore,
    residual: sumAfter > 0 ? Math.sqrt(sumSquares / sumAfter) : 0,
    rounding: sumAfter > 0 ? MAX_RESIDUAL * Math.sqrt(sumNoise / sumAfter) : 0,
    score,
    chi2: (isWithinNoise ? bestScore * bestScore : score * score) * numberCount,
    isExplanation: score <= MAX_RESIDUAL && worstRatio <= (MAX_TOKEN_RATIO * MAX_RESIDUAL) ** 2,
  };
}

/** Two explanations whose chi2 differs by less than this cannot be distinguished. */
export const MAX_CHI2_DIFFERENCE = 50;
