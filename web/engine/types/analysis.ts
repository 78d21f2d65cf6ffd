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

/** The result of a call, or a promise of it if the engine is in a worker. */
export type AnalysisResult<E extends AnalysisEngine, Result> = E extends WorkerEngine ? Promise<Result> : Result;

/** If the engine is in a worker, the last argument of a call may be an object with call options. */
export type AnalysisOptions<E extends AnalysisEngine> = E extends WorkerEngine ? [options?: CallOptions] : [];

/**
 * A request for the matrix that shifts a sinusoidal table by k positions. The sinusoids are specified by their frequencies or by an `input`
 * encoding.
 */
export type ShiftMatrixRequest = {
  /** The shift in positions; may be negative or fractional. */
  readonly k: number;
} & (
  | {
      /** Frequencies in radians per token, one for each pair of sine and cosine. */
      readonly frequencies: NumberList;
      /** Which channels form pair t: 2t and 2t + 1 ('interleaved', the default), or t and t + frequencies.length ('concatenated'). */
      readonly layout?: 'interleaved' | 'concatenated' | undefined;
    }
  | {
      /** An `input` encoding whose table consists of sinusoids. */
      readonly encoding: EncodingSpec;
      /** Number of channels, as in `positionTable`. */
      readonly dim: number;
    }
) &
  WithOut;

/**
 * The sinusoids in a table. Sinusoid t is sin(frequency[t] * position) in one channel and cos(frequency[t] * position) in another. Each
 * tensor has the shape [sinusoids].
 */
export interface Sinusoids {
  /** The channel that contains the sine. */
  readonly sine: Tensor;
  /** The channel that contains the cosine; -1 if the table omits it. */
  readonly cosine: Tensor;
  /** The frequencies in radians per token. A channel that is always 0 has the frequency 0. */
  readonly frequency: Tensor;
}

/** Queries and keys, and the positions at which their scores are compared. */
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

/** The outputs of a layer for a sequence of tokens and for a permutation of that sequence. */
export interface PermutationRequest extends WithOuts<'perToken'> {
  /** [length, dim], outputs for the original sequence */
  readonly before: TensorInput;
  /** [length, dim], outputs for the permuted sequence */
  readonly after: TensorInput;
  /** order[p] is the original index of the token at index p of the permuted sequence. */
  readonly order: NumberList;
}

/** The difference between a layer's outputs for two orders of the same tokens. */
export interface PermutationResult {
  /**
   * The largest absolute difference between the two outputs, after the outputs for the permuted sequence are put back in the original
   * order.
   */
  readonly maxAbsDiff: number;
  /** [length], the largest absolute difference for each token, in the order of `after` */
  readonly perToken: Tensor;
}

/**
 * Statistics of each diagonal of a matrix [length, length]. Each tensor has the shape [2 * length - 1]. Entry e describes the diagonal with
 * j - i = e - (length - 1).
 */
export interface DistanceProfile {
  /** The mean of each diagonal. */
  readonly mean: Tensor;
  /** The smallest element of each diagonal. */
  readonly min: Tensor;
  /** The largest element of each diagonal. */
  readonly max: Tensor;
  /** The largest difference between two elements on the same diagonal. It is 0 if the matrix depends only on j - i. */
  readonly spread: number;
}

/** Statistics of a position table. They show whether its rows are distinct and bounded, and have similar norms. */
export interface TableStatistics {
  /** Indices of the two rows that are closest to each other. */
  readonly closestPair: readonly [number, number];
  /** Euclidean distance between these two rows. If it is 0, two positions have the same vector. */
  readonly closestDistance: number;
  /** The largest absolute value in the table. */
  readonly maxAbs: number;
  /** The mean Euclidean norm of a row. */
  readonly meanNorm: number;
  /** The smallest norm. */
  readonly minNorm: number;
  /** The largest norm. */
  readonly maxNorm: number;
}

/** The power spectrum of each channel of a table. */
export interface Spectrum {
  /** [dim, bins], the distribution of each channel's power over the wavelengths; each row sums to 1, or to 0 for a constant channel */
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

/**
 * A ridge regression that predicts positions from the rows of a table. It is fitted on rows 0, 2, 4 ... and evaluated on rows 1, 3, 5 ...
 */
export interface LinearProbeResult {
  /** Coefficient of determination on the rows that were not used for fitting. 1 is perfect; 0 is no better than predicting the mean. */
  readonly rSquared: number;
  /** Mean absolute error in tokens, on the rows that were not used for fitting. */
  readonly meanAbsoluteError: number;
  /** [rows], the predicted position of every row, including the rows used for fitting */
  readonly predictions: Tensor;
}

/** A table whose rows are compared. */
export interface SimilarityRequest extends WithOut {
  /** The table: [length, dim]. */
  readonly table: TensorInput;
  /** Whether rows are compared by the cosine of the angle between them or by their dot product; default: 'cosine'. */
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

/** A table, and the number of principal components to compute. */
export interface PrincipalComponentsRequest extends TableInput, WithOuts<'coordinates' | 'explainedVarianceRatio'> {
  /** Number of components. It must not exceed the number of rows or `dim`. */
  readonly components: number;
}

/** A table, and the ridge penalty for predicting positions from its rows. */
export interface LinearProbeRequest extends TableInput, WithOuts<'predictions'> {
  /** The L2 penalty of ridge regression; default: 0.001. */
  readonly ridge?: number | undefined;
}

/** A table that consists of sinusoids. */
export interface SinusoidsRequest extends WithOuts<'sine' | 'cosine' | 'frequency'> {
  /** An `input` encoding. */
  readonly encoding: EncodingSpec;
  /** Number of channels. */
  readonly dim: number;
}

/** A table of consecutive positions, and a matrix that should shift the table by k positions. */
export interface ShiftErrorRequest {
  /** The table: [rows, dim]. */
  readonly table: TensorInput;
  /** The matrix: [dim, dim]. */
  readonly shift: TensorInput;
  /** The shift in positions, a whole number. */
  readonly k: number;
}

/** The error of a property that should hold in exact arithmetic. */
export interface MaxDifference {
  /** The largest absolute difference. If the property holds, this is only rounding error. */
  readonly maxAbsDiff: number;
}

/** The seed and the shape of a tensor of random numbers. */
export interface RandomNormalRequest extends WithOut {
  /** The seed, a whole number. */
  readonly seed: number;
  /** The length of each axis. */
  readonly shape: readonly number[];
}
