// Results for the five requirements: the measured value, its threshold, and the positions that determine the result.
import type { Quantity } from './sources.ts';

export const REQUIREMENTS = ['unique', 'bounded', 'length', 'smooth', 'relative'] as const;
export type Requirement = (typeof REQUIREMENTS)[number];

/**
 * Minimum distance between two vectors, relative to the longest vector. Vectors that are closer may be equal in
 * bfloat16.
 */
export const MIN_RELATIVE_DISTANCE = 2 ** -8;
/** Length of the text for the check 'bounded', as a multiple of `length`. */
export const LENGTH_FACTOR = 8;
/** Limit on the largest norm in the longer text, relative to the largest norm in the text of `length` tokens. */
export const MAX_GROWTH = 2;
/** Tolerance for float32 rounding, relative to the longest vector. */
export const RELATIVE_TOLERANCE = 1e-6;
/** Tolerance for float32 rounding in sums over the channels, relative to the largest product or bias. */
export const PRODUCT_TOLERANCE = 1e-5;

/** 1: satisfied, 0: not satisfied, −1: does not apply. */
export type Verdict = 1 | 0 | -1;

export interface Finding {
  readonly value: number;
  readonly threshold: number;
  readonly verdict: Verdict;
  readonly decidingPositions: readonly number[];
  /** The core's error message if it rejects the longer text. */
  readonly rejection?: string;
}

/** Two pairs of positions at the same distance whose products or biases differ most. */
export interface DifferingPairs {
  readonly first: readonly [number, number];
  readonly second: readonly [number, number];
  readonly values: readonly [number, number];
}

export interface Results {
  readonly quantity: Quantity;
  readonly hasNoEncoding: boolean;
  readonly hasRandomParams: boolean;
  readonly findings: { readonly [Each in Requirement]: Finding };
  readonly longestNorm: number;
  readonly differingPairs: DifferingPairs | undefined;
  /** Number of positions in a row of patches, or in the whole text if there are no patches. */
  readonly lineLength: number;
  /** Error of the matrix that maps every position to the next one; undefined if there is no such matrix. */
  readonly shiftResidual: number | undefined;
  /** The residual of the proof, and the tolerance that it must not exceed. */
  readonly check: { readonly residual: number; readonly tolerance: number };
}
