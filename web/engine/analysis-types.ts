// Measurements: requests and results.

import type { LayerRequest, LayerResult, Want } from './attention-types.ts';
import type { EncodingChoice, NumberList, Positions, Tensor, TensorInput } from './encoding-types.ts';
import type { TakesOut, TakesOuts } from './out-types.ts';

/** For a list of frequencies, or for the sinusoidal table of an `input` encoding. */
export type ShiftMatrixRequest = {
  /** The shift in positions; may be negative or fractional. */
  readonly k: number;
} & (
  | {
      /** Radians per token, one per (sine, cosine) pair. */
      readonly frequencies: NumberList;
      /** Channels of the pair t: 2t and 2t + 1 (interleaved, the default), or t and t + number of frequencies (concatenated). */
      readonly layout?: 'interleaved' | 'concatenated' | undefined;
    }
  | {
      readonly encoding: EncodingChoice;
      /** Number of channels, as in `table`. */
      readonly width: number;
    }
) &
  TakesOut;

/** The waves of a sinusoidal table: wave t is sin and cos of frequency[t] * position. Tensors are [waves]. */
export interface Waves {
  /** The channel of each sine. */
  readonly sine: Tensor;
  /** The channel of each cosine; -1 when the table omits it. */
  readonly cosine: Tensor;
  /** Radians per token; 0 for a channel that is always 0. */
  readonly frequency: Tensor;
}

export interface RotationResidualRequest {
  readonly encoding: EncodingChoice;
  /** [heads, width] */
  readonly q: TensorInput;
  /** [heads, width] */
  readonly k: TensorInput;
  /** The maximum of |<R_m q, R_n k> - <R_0 q, R_(n-m) k>| is taken over all m and n in this list; at most 4096 positions. */
  readonly positions: Positions;
}

export interface PermutationRequest extends TakesOuts<'perToken'> {
  /** [length, width], outputs for the original sequence */
  readonly before: TensorInput;
  /** [length, width], outputs for the permuted sequence */
  readonly after: TensorInput;
  /** order[p] is the original index of the token that is now at index p. */
  readonly order: NumberList;
}

export interface PermutationResult {
  /** Maximum absolute difference between the two outputs, after the permutation is undone. */
  readonly maxAbsDiff: number;
  /** [length], the maximum absolute difference for each token, in the order of `after` */
  readonly perToken: Tensor;
}

export interface ReorderRequest extends LayerRequest, TakesOuts<'before' | 'perToken'> {
  /** order[p] is the index in x of the token that is placed at index p. */
  readonly order: NumberList;
}

/** The output of the layer for the permuted tokens, and how much it differs from its output for x. */
export type ReorderResult<W extends readonly Want[] = readonly Want[]> = LayerResult<W> &
  PermutationResult & {
    /** [length, width], the output for x in its original order */
    readonly before: Tensor;
  };

/** Statistics along the diagonals of a [length, length] matrix. Each tensor is [2 length - 1]; entry e is for j - i = e - (length - 1). */
export interface DistanceProfile {
  readonly mean: Tensor;
  readonly min: Tensor;
  readonly max: Tensor;
  /** Largest max - min over all distances: 0 when the matrix depends on j - i alone. */
  readonly spread: number;
}

/** Statistics of a positional table: are its rows unique, bounded, and of similar norm? */
export interface TableStatistics {
  /** Indices of the two closest rows. */
  readonly closestPair: readonly [number, number];
  /** Euclidean distance between them; 0 means that two positions have the same vector. */
  readonly closestDistance: number;
  /** Maximum absolute value. */
  readonly maxAbs: number;
  /** Mean, minimum and maximum of the Euclidean norms of the rows. */
  readonly meanNorm: number;
  readonly minNorm: number;
  readonly maxNorm: number;
}

export interface Spectrum {
  /** [width, bins], the share of each channel's power at each wavelength; rows sum to 1 (0 for a constant channel) */
  readonly power: Tensor;
  /** [bins], in tokens */
  readonly wavelength: Tensor;
}

export interface PrincipalComponents {
  /** [rows, components], the rows projected onto the components */
  readonly coordinates: Tensor;
  /** [components], the fraction of the variance explained by each component */
  readonly explainedVarianceRatio: Tensor;
}

/** Ridge regression from table rows to positions, fitted on rows 0, 2, 4 ... and evaluated on the held-out rows 1, 3, 5 ... */
export interface LinearProbeResult {
  /** Coefficient of determination on the held-out rows: 1 is perfect, 0 is no better than predicting their mean. */
  readonly rSquared: number;
  /** Mean absolute error on the held-out rows, in tokens. */
  readonly meanAbsoluteError: number;
  /** [rows], the predicted position of every row, fitted and held-out */
  readonly predictions: Tensor;
}
