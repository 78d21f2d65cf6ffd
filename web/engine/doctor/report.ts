// What the doctor returns: data from which its sentence, its fix and its picture are made.

import type { EncodingConfig } from '../types/api.ts';

/** A value of a report. */
export type ReportValue = number | string | boolean | readonly number[];
/** Values by name. */
export type ReportParams = { readonly [name: string]: ReportValue };

/** One difference between the claim and the dump. */
export interface Finding {
  /** The fault: `wrong_pairing`. The page faults/ of the site has all. */
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
  /** Of vectors, tables and position ids. */
  readonly token?: number;
  /** Of vectors, counted within a head; of inverse frequencies the pair. */
  readonly channel?: number;
  /** Of scores and weights. */
  readonly query?: number;
  /** Of scores and weights. */
  readonly key?: number;
  /** Of scores. */
  readonly head?: number;
  /** Of position ids with three axes: 0 time, 1 row, 2 column. */
  readonly axis?: number;
}

/** The format whose rounding the numbers of a dump show. */
export type NoiseFormat = 'f32' | 'f16' | 'bf16';

/**
 * |dump - prediction| / |dump| by token (row) and pair of channels (column), fast pairs first. Of scores and weights by query (row) and key (column),
 * relative to the root mean square of all; 1 where only one of the two is hidden.
 */
export interface Residuals {
  /** Number of pairs that turn, or of keys: the first columns. Where other channels do not turn, one more column is all of them. */
  readonly pairs: number;
  /** Number of columns. */
  readonly columns: number;
  /** [rows, columns] */
  readonly values: Float64Array;
}

/** How well the claim and the explanation fit, by row and column. */
export interface ResidualMap {
  /** What the columns are: pairs of channels of vectors and tables, keys of scores and weights. */
  readonly columnAxis: 'pair' | 'key';
  /** Index of the token or query of each row: all of up to 96, else a sample. */
  readonly tokens: readonly number[];
  /** Indices of the examined heads. */
  readonly heads: readonly number[];
  /** Position of each row; of images the first coordinate. */
  readonly positions: readonly number[];
  /** Against the claim; absent without one. */
  readonly claimed?: Residuals;
  /** Against the explanation; absent where there is none. */
  readonly found?: Residuals;
}

/** Position ids by axis and token: [tokens] each, one axis or time, row and column. */
export interface PositionIds {
  /** By axis, as the claim numbers the tokens. */
  readonly claimed: readonly (readonly number[])[];
  /** By axis, as the dump numbers them. */
  readonly dumped: readonly (readonly number[])[];
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
  /** Where the dump departs from the claim first. */
  readonly first?: FirstDifference;
  /** |dump - explanation| / |dump|, over the sampled tokens and heads */
  readonly residual?: number;
  /** The same against the claim. */
  readonly claimedResidual?: number;
  /** The residual up to which the rounding of the dump explains; of queries and keys. */
  readonly rounding?: number;
  /** The format that the numbers were rounded to, which bounds the residual of a right explanation. */
  readonly noise?: NoiseFormat;
  /** Explanations that these numbers cannot tell from the verdict. */
  readonly equivalents: readonly Explanation[];
  /** The next explanations, which do not fit. */
  readonly next: readonly Explanation[];
  /** The encoding that the dump was compared with; of queries and keys. */
  readonly claim?: EncodingConfig;
  /** The encoding that turns as the dump does, where the core has one; a fault of positions is beside it. */
  readonly encoding?: EncodingConfig;
  /** Of all dumps but position ids and a GGUF. */
  readonly map?: ResidualMap;
  /** Of position ids. */
  readonly ids?: PositionIds;
  /** The verdict in one to four sentences. */
  readonly sentence: string;
  /** What to change, where a fault was found. */
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
