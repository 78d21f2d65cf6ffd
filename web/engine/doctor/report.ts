// The report that `diagnose` returns.

import type { EncodingConfig } from '../types/api.ts';

/** The value of a parameter in a report. */
export type ReportValue = number | string | boolean | readonly number[];
/** Values by name. */
export type ReportParams = { readonly [name: string]: ReportValue };

/** A fault: one difference between the dump and the claim. */
export interface Finding {
  /** The id of the fault, such as `wrong_pairing`. */
  readonly id: string;
  /** Parameters of the fault by name, such as the `found` and the `claimed` value. */
  readonly params: ReportParams;
}

/** A set of faults that may explain the dump, and the residual that remains. */
export interface Explanation {
  /** The differences from the claim. */
  readonly findings: readonly Finding[];
  /** |dump - prediction| / |dump| */
  readonly residual: number;
}

/** Location of the first value that differs from the claim by more than six times the rounding error. Indices are zero-based. */
export interface FirstDifference {
  /** Token index, in vectors, tables and position ids. */
  readonly token?: number;
  /** Channel index within a head in vectors, or pair index in inverse frequencies. */
  readonly channel?: number;
  /** Query index, in scores and weights. */
  readonly query?: number;
  /** Key index, in scores and weights. */
  readonly key?: number;
  /** Head index, in scores. */
  readonly head?: number;
  /** Axis index, in position ids with three axes: 0 time, 1 row, 2 column. */
  readonly axis?: number;
}

/** The format to which the values of a dump were rounded. */
export type NoiseFormat = 'f32' | 'f16' | 'bf16';

/**
 * Residuals by row and column. For vectors and tables, rows are tokens, columns are channel pairs from fast to slow, and a residual is |dump -
 * prediction| / |dump|. For scores and weights, rows are queries, columns are keys, and residuals are relative to the root mean square of the dump.
 * A head in which only the dump or only the prediction hides the key has a residual of 1.
 */
export interface Residuals {
  /** Number of channel pairs or keys. If some channels are not rotated, one additional column combines them. */
  readonly pairs: number;
  /** Number of columns. */
  readonly columns: number;
  /** The residuals: [rows, columns]. */
  readonly values: Float64Array;
}

/** Residuals of the claim and of the explanation that was found. */
export interface ResidualMap {
  /** The meaning of the columns: channel pairs for vectors and tables, keys for scores and weights. */
  readonly columnAxis: 'pair' | 'key';
  /** Token or query index of each row. If there are more than 96, the rows are a sample. */
  readonly tokens: readonly number[];
  /** Indices of the examined heads. */
  readonly heads: readonly number[];
  /** Position of each row. If positions have several coordinates, the first one. */
  readonly positions: readonly number[];
  /** Residuals of the claim; absent if there is none. */
  readonly claimed?: Residuals;
  /** Residuals of the explanation; absent if there is none. */
  readonly found?: Residuals;
}

/** Position ids by axis and token. There is one axis, or three: time, row and column. */
export interface PositionIds {
  /** The claimed ids, by axis. */
  readonly claimed: readonly (readonly number[])[];
  /** The ids of the dump, by axis. */
  readonly dumped: readonly (readonly number[])[];
}

/** The result of `diagnose`. */
export interface Report {
  /**
   * The id of the main fault, or `as_claimed`, `same`, `same_after_softmax`, `identified` (if there was no claim), `cannot_tell` or
   * `not_explained`.
   */
  readonly verdict: string;
  /** The reason for `cannot_tell` or `not_explained`, such as `one_token`. */
  readonly reason?: string;
  /** Parameters of the verdict by name, such as the `found` and the `claimed` value. */
  readonly params: ReportParams;
  /** Further faults in the same dump. */
  readonly also: readonly Finding[];
  /** The first value of the dump that deviates from the claim. */
  readonly first?: FirstDifference;
  /** |dump - explanation| / |dump|, over the sampled tokens and heads. */
  readonly residual?: number;
  /** |dump - claim| / |dump|, over the same tokens and heads. */
  readonly claimedResidual?: number;
  /** The largest residual that rounding of the dump can explain. */
  readonly rounding?: number;
  /** The format to which the dump was rounded. It determines `rounding`. */
  readonly noise?: NoiseFormat;
  /** Other explanations that fit the dump equally well. */
  readonly equivalents: readonly Explanation[];
  /** The next best explanations, at most three. */
  readonly next: readonly Explanation[];
  /** The claimed encoding with which queries, keys or tables were compared. */
  readonly claim?: EncodingConfig;
  /** The encoding that rotates like the dump, if there is one. It does not reproduce faulty positions. */
  readonly encoding?: EncodingConfig;
  /** Present for all dumps except position ids and GGUF files. */
  readonly map?: ResidualMap;
  /** Present for position ids. */
  readonly ids?: PositionIds;
  /** The verdict in one to four sentences. */
  readonly sentence: string;
  /** How to fix the fault, if one was found. */
  readonly fix?: string;
}

/** A report without `sentence` and `fix`. */
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

/** Creates a diagnosis with the verdict `id`. */
export const createDiagnosis = (id: string, params: ReportParams = {}, fields: Partial<Diagnosis> = {}): Diagnosis => ({
  ...withoutExplanation(id),
  params,
  ...fields,
});
