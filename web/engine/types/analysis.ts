// Requests and results of the measurements in `phasor/analysis`.

import type { CALL } from '../call/call-key.ts';
import type { EncodingSpec, NumberList, Positions } from './encodings.ts';
import type { CallOptions } from './options.ts';
import type { WithOut, WithOuts } from './out.ts';
import type { Tensor, TensorInput } from './tensors.ts';

/** The name of a function of `phasor/analysis`. */
export type AnalysisMethod = keyof typeof import('../analysis.ts');

/** An engine on the calling thread, in a worker, or in several workers. */
export interface AnalysisEngine {
  /** Calls a function of `phasor/analysis`. */
  readonly [CALL]: (method: AnalysisMethod, args: readonly unknown[]) => unknown;
}

interface WorkerEngine extends AnalysisEngine {
  /** Calls a function of `phasor/analysis`. */
  readonly [CALL]: (method: AnalysisMethod, args: readonly unknown[]) => Promise<unknown>;
}

/** A result, or a promise of it if the engine is in a worker. */
export type AnalysisResult<E extends AnalysisEngine, Result> = E extends WorkerEngine ? Promise<Result> : Result;

/** The options of a call, as the last argument if the engine is in a worker. */
export type AnalysisOptions<E extends AnalysisEngine> = E extends WorkerEngine ? [options?: CallOptions] : [];

/** A shift of a sinusoidal table, from a list of frequencies or from an `input` encoding. */
export type ShiftMatrixRequest = {
  /** The shift in positions; may be negative or fractional. */
  readonly k: number;
} & (
  | {
      /** Radians per token, one per (sine, cosine) pair. */
      readonly frequencies: NumberList;
      /** Channels of pair t: 2t and 2t + 1 (interleaved, the default), or t and t + frequencies.length (concatenated). */
      readonly layout?: 'interleaved' | 'concatenated' | undefined;
    }
  | {
      /** An `input` encoding whose table is made of sinusoids. */
      readonly encoding: EncodingSpec;
      /** Number of channels, as in `positionTable`. */
      readonly dim: number;
    }
) &
  WithOut;

/** The sinusoids of a table: sinusoid t is sin(frequency[t] * position) and cos(frequency[t] * position). Each tensor is [sinusoids]. */
export interface Sinusoids {
  /** The channel of each sine. */
  readonly sine: Tensor;
  /** The channel of each cosine; -1 when the table omits it. */
  readonly cosine: Tensor;
  /** The frequencies in radians per token; 0 for a channel that is always 0. */
  readonly frequency: Tensor;
}

/** Queries and keys, and the positions to compare. */
export interface RelativePositionErrorRequest {
  /** A `query_key` encoding. */
  readonly encoding: EncodingSpec;
  /** One query per head: [heads, dim]. */
  readonly q: TensorInput;
  /** One key per head: [heads, dim]. */
  readonly k: TensorInput;
  /** At most 4096 positions. The error is the maximum of |<R_m q, R_n k> - <R_0 q, R_(n-m) k>| over all pairs (m, n) of these positions. */
  readonly positions: Positions;
}

/** Outputs before and after a permutation of the tokens. */
export interface PermutationRequest extends WithOuts<'perToken'> {
  /** [length, dim], outputs for the original sequence */
  readonly before: TensorInput;
  /** [length, dim], outputs for the permuted sequence */
  readonly after: TensorInput;
  /** order[p] is the original index of the token at index p of the permuted sequence. */
  readonly order: NumberList;
}

/** The difference between the outputs for two orders of the tokens. */
export interface PermutationResult {
  /** Maximum absolute difference between the two outputs, after the permutation is undone. */
  readonly maxAbsDiff: number;
  /** [length], the maximum absolute difference for each token, in the order of `after` */
  readonly perToken: Tensor;
}

/** Statistics along the diagonals of a matrix [length, length]. Each tensor is [2 * length - 1]; entry e belongs to j - i = e - (length - 1). */
export interface DistanceProfile {
  /** The mean of each diagonal. */
  readonly mean: Tensor;
  /** The smallest element of each diagonal. */
  readonly min: Tensor;
  /** The largest element of each diagonal. */
  readonly max: Tensor;
  /** Largest max - min over all distances: 0 when the matrix depends on j - i alone. */
  readonly spread: number;
}

/** Statistics of a position table, which show whether rows are unique, bounded and of similar norm. */
export interface TableStatistics {
  /** Indices of the two closest rows. */
  readonly closestPair: readonly [number, number];
  /** Euclidean distance of the closest pair; 0 means that two positions have the same vector. */
  readonly closestDistance: number;
  /** Maximum absolute value of the table. */
  readonly maxAbs: number;
  /** Mean of the Euclidean norms of the rows. */
  readonly meanNorm: number;
  /** The smallest norm. */
  readonly minNorm: number;
  /** The largest norm. */
  readonly maxNorm: number;
}

/** Power spectrum of the channels of a table. */
export interface Spectrum {
  /** [dim, bins], the share of each channel's power at each wavelength; rows sum to 1 (0 for a constant channel) */
  readonly power: Tensor;
  /** [bins], the wavelengths in tokens */
  readonly wavelength: Tensor;
}

/** Principal components of the rows of a table. */
export interface PrincipalComponents {
  /** [rows, components], the rows projected onto the components */
  readonly coordinates: Tensor;
  /** [components], the fraction of the variance explained by each component */
  readonly explainedVarianceRatio: Tensor;
}

/** Ridge regression from table rows to positions, fitted on rows 0, 2, 4 ... and evaluated on the held-out rows 1, 3, 5 ... */
export interface LinearProbeResult {
  /** Coefficient of determination on the held-out rows: 1 is perfect, 0 is no better than predicting the mean. */
  readonly rSquared: number;
  /** Mean absolute error on the held-out rows, in tokens. */
  readonly meanAbsoluteError: number;
  /** [rows], the predicted position of every row, fitted and held-out */
  readonly predictions: Tensor;
}

/** A table whose rows are compared. */
export interface SimilarityRequest extends WithOut {
  /** The table: [length, dim]. */
  readonly table: TensorInput;
  /** Cosine of the angle between two rows, or their dot product; default: 'cosine'. */
  readonly metric?: 'cosine' | 'dot' | undefined;
}

/** A square matrix. */
export interface MatrixInput extends WithOuts<'mean' | 'min' | 'max'> {
  /** The matrix: [length, length]. */
  readonly matrix: TensorInput;
}

/** A table. */
export interface TableInput {
  /** The table: [rows, dim]. */
  readonly table: TensorInput;
}

/** A table, and the number of components. */
export interface PrincipalComponentsRequest extends TableInput, WithOuts<'coordinates' | 'explainedVarianceRatio'> {
  /** Number of components, at most rows and dim. */
  readonly components: number;
}

/** A table whose rows predict positions. */
export interface LinearProbeRequest extends TableInput, WithOuts<'predictions'> {
  /** The L2 penalty of ridge regression; default: 0.001. */
  readonly ridge?: number | undefined;
}

/** A table that is made of sinusoids. */
export interface SinusoidsRequest extends WithOuts<'sine' | 'cosine' | 'frequency'> {
  /** An `input` encoding. */
  readonly encoding: EncodingSpec;
  /** Number of channels. */
  readonly dim: number;
}

/** A table of consecutive positions, and a matrix that should shift the table. */
export interface ShiftErrorRequest {
  /** The table: [rows, dim]. */
  readonly table: TensorInput;
  /** The matrix: [dim, dim]. */
  readonly shift: TensorInput;
  /** The shift in positions, a whole number. */
  readonly k: number;
}

/** The deviation from a property that holds exactly in real arithmetic. */
export interface MaxDifference {
  /** Maximum absolute difference; only rounding error if the property holds. */
  readonly maxAbsDiff: number;
}

/** The seed and the shape of a tensor of random numbers. */
export interface RandomNormalRequest extends WithOut {
  /** The seed, a whole number. */
  readonly seed: number;
  /** The length of each axis. */
  readonly shape: readonly number[];
}
