// Measurements: what goes in and what comes out.

import type { LayerRequest, LayerResult } from './attention-types.ts';
import type { EncodingChoice, Tensor } from './encoding-types.ts';

/** By frequencies, or for the table of an `input` encoding that has them. */
export type ShiftMatrixRequest = {
  /** By how many positions; negative and fractional steps too. */
  readonly k: number;
} & (
  | {
      /** Radians per token, one for each (sine, cosine) pair. */
      readonly frequencies: ArrayLike<number>;
      /** Where the sine and the cosine of a frequency stand: channels 2t and 2t + 1, or t and t + frequencies. */
      readonly layout?: 'interleaved' | 'concatenated';
    }
  | {
      readonly encoding: EncodingChoice;
      /** Channels asked for, as in `table`. */
      readonly width: number;
    }
);

export interface RotationResidualRequest {
  readonly encoding: EncodingChoice;
  /** [heads, width] */
  readonly q: Tensor;
  /** [heads, width] */
  readonly k: Tensor;
  /** The largest |<R_m q, R_n k> - <R_0 q, R_(n-m) k>| is taken over all m and n of these, at most 4096. */
  readonly positions: ArrayLike<number>;
}

export interface PermutationRequest {
  /** [length, width], outputs of the text as it was */
  readonly before: Tensor;
  /** [length, width], outputs of the reordered text */
  readonly after: Tensor;
  /** order[p] is the old place of the token that now stands at place p. */
  readonly order: ArrayLike<number>;
}

export interface PermutationResult {
  /** Largest absolute difference of any number after the tokens are put back. */
  readonly largest: number;
  /** [length], the largest difference in each token's output, in the order of `after` */
  readonly perToken: Tensor;
}

export interface ReorderRequest extends LayerRequest {
  /** order[p] is the place where the token stands in x that is put at place p. */
  readonly order: ArrayLike<number>;
}

/** What the layer makes of the reordered tokens, and how far that is from what it makes of x. */
export interface ReorderResult extends LayerResult, PermutationResult {
  /** [length, width], the output for x as it is */
  readonly before: Tensor;
}

export interface DistanceProfile {
  /** [2 length - 1]; entry e is about the signed distance j - i = e - (length - 1). */
  readonly mean: Tensor;
  readonly lowest: Tensor;
  readonly highest: Tensor;
  /** Largest difference at any one distance: 0 when the matrix depends on the distance alone. */
  readonly spread: number;
}

/** The requirements of a good positional table, measured. */
export interface TableFacts {
  /** The two most alike rows. */
  readonly closest: readonly [number, number];
  /** Their Euclidean distance; 0 means two positions share a code. */
  readonly closestDistance: number;
  /** Largest absolute number. */
  readonly largest: number;
  readonly meanNorm: number;
  readonly lowestNorm: number;
  readonly highestNorm: number;
}

export interface Spectrum {
  /** [width, bins], each channel's power by wavelength, rows sum to 1 (0 for a constant channel). */
  readonly power: Tensor;
  /** [bins], tokens. */
  readonly wavelength: Tensor;
}

export interface Principal {
  /** [rows, components] */
  readonly coordinates: Tensor;
  /** [components], share of the variance. */
  readonly explained: Tensor;
}

export interface Decodability {
  /** On rows the reader has not seen: 1 is perfect, 0 no better than the mean. */
  readonly rSquared: number;
  /** Mean absolute error in tokens on the same rows. */
  readonly meanError: number;
  /** [rows] */
  readonly predicted: Tensor;
}
