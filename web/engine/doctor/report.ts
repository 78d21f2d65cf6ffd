// The report of `diagnose`: the data for its sentences and its picture.

import type { EncodingConfig } from '../types/api.ts';

/** The value of a parameter in a report. */
export type ReportValue = number | string | boolean | readonly number[];
/** Values by name. */
export type ReportParams = { readonly [name: string]: ReportValue };

/** One difference between the dump and the claim. */
export interface Finding {
  /** The id of the fault, such as `wrong_pairing`. */
  readonly id: string;
  /** The values found and claimed, by name. */
  readonly params: ReportParams;
}

/** An explanation of the dump, and its residual. */
export interface Explanation {
  /** The differences from the claim. */
  readonly findings: readonly Finding[];
  /** |dump - prediction| / |dump| */
  readonly residual: number;
}

/** Location of the first number that differs from the claim by more than six times the rounding error of the dump. Indices count from 0. */
export interface FirstDifference {
  /** Index of the token, in vectors, tables and position ids. */
  readonly token?: number;
  /** Index of the channel within a head in vectors, or of the pair in inverse frequencies. */
  readonly channel?: number;
  /** Index of the query, in scores and weights. */
  readonly query?: number;
  /** Index of the key, in scores and weights. */
  readonly key?: number;
  /** Index of the head, in scores. */
  readonly head?: number;
  /** Index of the axis, in position ids with three axes: 0 time, 1 row, 2 column. */
  readonly axis?: number;
}

/** The rounding format of the numbers in a dump. */
export type NoiseFormat = 'f32' | 'f16' | 'bf16';

/**
 * |dump - prediction| / |dump|. For vectors and tables, rows are tokens and columns are pairs of channels, fast pairs first. For scores and weights,
 * rows are queries and columns are keys, and the residual is relative to the root mean square of the dump; it is 1 if only the dump or only the
 * prediction hides the key.
 */
export interface Residuals {
  /** Number of rotary pairs or of keys, which are the first columns. If some channels are not rotated, one more column combines them. */
  readonly pairs: number;
  /** Number of columns. */
  readonly columns: number;
  /** The residuals: [rows, columns]. */
  readonly values: Float64Array;
}

/** The residuals of the claim and of the explanation, by row and column. */
export interface ResidualMap {
  /** The meaning of a column: a pair of channels for vectors and tables, a key for scores and weights. */
  readonly columnAxis: 'pair' | 'key';
  /** Index of the token or query of each row. If there are more than 96, the rows are a sample. */
  readonly tokens: readonly number[];
  /** Indices of the examined heads. */
  readonly heads: readonly number[];
  /** Position of each row. For images, this is the first coordinate. */
  readonly positions: readonly number[];
  /** Residuals of the claim; absent without a claim. */
  readonly claimed?: Residuals;
  /** Residuals of the explanation; absent if there is none. */
  readonly found?: Residuals;
}

/** Position ids by axis and token: one list for positions on one axis, or one each for time, row and column. */
export interface PositionIds {
  /** The claimed ids, by axis. */
  readonly claimed: readonly (readonly number[])[];
  /** The ids of the dump, by axis. */
  readonly dumped: readonly (readonly number[])[];
}

/** The result of `diagnose`. */
export interface Report {
  /**
   * The id of a fault, or `as_claimed`, `same`, `same_after_softmax`, `identified` (there was no claim), `cannot_tell`, `not_explained`.
   */
  readonly verdict: string;
  /** The reason for `cannot_tell` and `not_explained`. */
  readonly reason?: string;
  /** The values found and claimed, by name. */
  readonly params: ReportParams;
  /** Further faults in the same dump. */
  readonly also: readonly Finding[];
  /** The first number of the dump that deviates from the claim. */
  readonly first?: FirstDifference;
  /** |dump - explanation| / |dump|, over the sampled tokens and heads. */
  readonly residual?: number;
  /** |dump - claim| / |dump|, over the same tokens and heads. */
  readonly claimedResidual?: number;
  /** The largest residual that rounding of the dump can explain. */
  readonly rounding?: number;
  /** The rounding format of the numbers, which bounds the residual of a correct explanation. */
  readonly noise?: NoiseFormat;
  /** Other explanations that fit the dump equally well. */
  readonly equivalents: readonly Explanation[];
  /** The next best candidates, at most three. */
  readonly next: readonly Explanation[];
  /** The encoding with which the queries, keys or tables of the dump were compared. */
  readonly claim?: EncodingConfig;
  /** The encoding of the core that rotates like the dump, if there is one. It does not reproduce faulty positions. */
  readonly encoding?: EncodingConfig;
  /** Present for all dumps except position ids and GGUF files. */
  readonly map?: ResidualMap;
  /** Present for position ids. */
  readonly ids?: PositionIds;
  /** The verdict in one to four sentences. */
  readonly sentence: string;
  /** How to repair the fault, if one was found. */
  readonly fix?: string;
}

/** A report without its sentences. */
export type Diagnosis = Omit<Report, 'sentence' | 'fix'>;

export const withoutExplanation = (verdict: string, reason?: string, fields: Partial<Diagnosis> = {}): Diagnosis => ({
  verdict,
  params: {},
  also: [],
  equivalents: [],
  next: [],
  ...(reason === undefined ? {} : { reason }),
  ...fields,
});

/** A diagnosis with the verdict `id`, such as the id of a fault. */
export const createDiagnosis = (id: string, params: ReportParams = {}, fields: Partial<Diagnosis> = {}): Diagnosis => ({
  ...withoutExplanation(id),
  params,
  ...fields,
});
