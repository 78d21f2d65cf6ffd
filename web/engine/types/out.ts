// Output arrays that the caller provides.

import type { Tensor } from './tensors.ts';

/**
 * A Float32Array for a result, or a tensor with such an array, whose shape is then checked as well. The array becomes the `data` of the
 * result. An array that has the wrong length, is shared or detached, or overlaps an argument or another output array is rejected before
 * anything is written. In workers and pools, the result is copied into the array at the end.
 */
export type Out = Float32Array | Tensor;

/** Output arrays for several results, by name. A result without an entry is returned in a new array. */
export type Outs<Names extends string> = { readonly [K in Names]?: Out | undefined };

/** A request whose result is one tensor. */
export interface WithOut {
  /** The array for the result; default: a new array. */
  readonly out?: Out | undefined;
}

/** A request with several results. */
export interface WithOuts<Names extends string> {
  /** Arrays for the results, by name; default: new arrays. */
  readonly out?: Outs<Names> | undefined;
}

/** A request whose results are gradients. */
export interface WithGradientOuts<Names extends string> {
  /** Arrays for the gradients, by name; default: new arrays. */
  readonly out?:
    | (Outs<Names> & {
        /** Arrays for the gradients of learned parameters, by parameter name. */
        readonly parameters?: { readonly [parameter: string]: Out | undefined } | undefined;
      })
    | undefined;
}
