// What the doctor returns: data from which its sentence, its fix and its picture are made.

import type { EncodingConfig } from '../types/api.ts';

/** A value of a report. */
export type ReportValue = number | string | boolean | readonly number[];
/** Values by name. */
export type ReportParams = { readonly [name: string]: ReportValue };

/** One difference between the claim and the dump. */
export interface Finding {
  /** The fault: `wrong_pairing`. docs/doctor.md lists all. */
  readonly id: string;
  /** What was found and what was claimed. */
  readonly params: ReportParams;
}

/** An explanation, and how well it fits. */
export interface Explanation {
  /** The differences from the claim. */
  readonly findings: readonly Finding[];
  /** |dump - prediction| / |dump| */
  readonly residual: number;
}

/** The first number that differs from the claim by more than six times the rounding of the dump. Indices count from 0. */
export interface FirstDifference {
  readonly token?: number;
  readonly channel?: number;
  readonly query?: number;
  readonly key?: number;
  readonly head?: number;
  readonly axis?: number;
}

/** The format whose rounding the numbers of a dump show. */
export type NoiseFormat = 'f32' | 'f16' | 'bf16';

/** The relative error of each token (row) and pair of channels (column), fast pairs first. */
export interface ResidualMap {
  /** Position of each row. */
  readonly positions: readonly number[];
  readonly pairs: number;
  /** [rows, pairs], against the claim; absent without a claim */
  readonly claimed?: Float64Array;
  /** [rows, pairs], against the explanation; absent where there is none */
  readonly found?: Float64Array;
}

/** The result of `diagnose`. */
export interface Report {
  /**
   * A fault, or `as_claimed`, `same`, `same_after_softmax`, `identified` (there was no claim), `cannot_tell`, `not_explained`.
   */
  readonly verdict: string;
  /** Of `cannot_tell` and `not_explained`: why. */
  readonly reason?: string;
  /** What was found and what was claimed. */
  readonly params: ReportParams;
  /** Further faults in the same dump. */
  readonly also: readonly Finding[];
  readonly first?: FirstDifference;
  /** |dump - explanation| / |dump|, over the sampled tokens and heads */
  readonly residual?: number;
  /** The same against the claim. */
  readonly claimedResidual?: number;
  readonly noise?: NoiseFormat;
  /** Explanations that these numbers cannot tell from the verdict. */
  readonly equivalents: readonly Explanation[];
  /** The next explanations, which do not fit. */
  readonly next: readonly Explanation[];
  /** What the dump does, where one encoding of the core says it. */
  readonly encoding?: EncodingConfig;
  readonly map?: ResidualMap;
  readonly sentence: string;
  readonly fix?: string;
}

/** A report before its words are added. */
export type Diagnosis = Omit<Report, 'sentence' | 'fix'>;

/** A diagnosis without an explanation. */
export const withoutExplanation = (verdict: string, reason?: string, rest: Partial<Diagnosis> = {}): Diagnosis => ({
  verdict,
  params: {},
  also: [],
  equivalents: [],
  next: [],
  ...(reason === undefined ? {} : { reason }),
  ...rest,
});

/** A diagnosis that consists of a fault, or of a verdict without one. */
export const finding = (id: string, params: ReportParams = {}, rest: Partial<Diagnosis> = {}): Diagnosis => ({
  ...withoutExplanation(id),
  params,
  ...rest,
});
