// Results of the five requirements: the measured number, its threshold, and the positions that determine the result.
import type { Quantity } from './sources.ts';

export const REQUIREMENTS = ['unique', 'bounded', 'length', 'smooth', 'relative'] as const;
export type Requirement = (typeof REQUIREMENTS)[number];

/** The minimum distance between two vectors relative to the longest vector: closer vectors become equal in bfloat16. */
export const MIN_RELATIVE_DISTANCE = 2 ** -8;
/** Length of the longer text, as a multiple of `length`. */
export const LENGTH_FACTOR = 8;
/** Maximum ratio of the longest vectors in the longer and in the original text. */
export const MAX_GROWTH = 2;
/** Float32 rounding, relative to the longest vector. */
export const ROUNDING = 1e-6;
/** Float32 rounding in sums over the channels, relative to the largest product or bias. */
export const PRODUCT_ROUNDING = 1e-5;

/** 1: satisfied, 0: not satisfied, −1: does not apply. */
export type Verdict = 1 | 0 | -1;

export interface Finding {
  readonly value: number;
  readonly threshold: number;
  readonly verdict: Verdict;
  /** The positions that determine the result. */
  readonly decidingPositions: readonly number[];
  /** The error of the core if it rejects the longer text. */
  readonly rejection?: string;
}

/** The two pairs of positions at the same distance whose products or biases differ most. */
export interface DifferingPairs {
  readonly first: readonly [number, number];
  readonly second: readonly [number, number];
  readonly values: readonly [number, number];
}

export interface Numbers {
  readonly quantity: Quantity;
  readonly hasNoEncoding: boolean;
  readonly hasRandomParams: boolean;
  readonly findings: { readonly [Each in Requirement]: Finding };
  /** Norm of the longest vector. */
  readonly longest: number;
  readonly differingPairs: DifferingPairs | undefined;
  /** Number of positions on a line: in a row of patches, or in the whole text. */
  readonly line: number;
  /** Error of the matrix that shifts every position by one; undefined if there is no such matrix. */
  readonly shiftResidual: number | undefined;
  /** Residual and tolerance of the proof. */
  readonly check: { readonly residual: number; readonly tolerance: number };
}
