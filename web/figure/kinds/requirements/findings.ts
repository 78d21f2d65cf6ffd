// Five requirements of an encoding and their results: the measured number, its threshold, and the positions of the measurement.
import type { Thing } from './sources.ts';

export const REQUIREMENTS = ['unique', 'bounded', 'length', 'smooth', 'relative'] as const;
export type Requirement = (typeof REQUIREMENTS)[number];

/** Of the longest vector: vectors that are closer are the same number in bfloat16, whose digits are so far apart. */
export const DIGIT = 2 ** -8;
/** How many times longer the text is in which vectors must not outgrow those here ... */
export const LONGER = 8;
/** ... by more than this. */
export const GROWTH = 2;
/** float32, of the longest vector. */
export const ROUNDING = 1e-6;
/** float32, of the largest product or bias: a product is a sum over the channels. */
export const PRODUCT_ROUNDING = 1e-5;

/** 1 holds, 0 does not hold, −1 does not apply. */
export type Verdict = 1 | 0 | -1;

export interface Finding {
  readonly value: number;
  readonly threshold: number;
  readonly verdict: Verdict;
  /** The positions that decide. */
  readonly places: readonly number[];
  /** The error of the core if it rejects such a text. */
  readonly refused?: string;
}

/** Two pairs of positions at one distance, whose products or biases differ most. */
export interface Apart {
  readonly first: readonly [number, number];
  readonly second: readonly [number, number];
  readonly values: readonly [number, number];
}

export interface Numbers {
  readonly thing: Thing;
  readonly isNone: boolean;
  /** Numbers that training would find are drawn at random. */
  readonly isDrawn: boolean;
  readonly findings: { readonly [Each in Requirement]: Finding };
  /** The norm of the longest vector. */
  readonly longest: number;
  readonly apart: Apart | undefined;
  /** How many positions are on one line. */
  readonly line: number;
  /** Of the matrix that moves every position by one, where there is one. */
  readonly shiftResidual: number | undefined;
  /** The summary. */
  readonly check: { readonly residual: number; readonly tolerance: number };
}
