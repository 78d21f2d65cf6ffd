// Output arrays: the caller provides the arrays for results.

import type { Tensor } from './tensors.ts';

/**
 * A Float32Array that a result is written into, or a tensor with such an array, whose shape is checked too. The array becomes the `data` of
 * the result. An array of the wrong length, in shared memory, detached, or overlapping an argument or another `out` is rejected, and nothing
 * is written. In workers and pools the result is copied into the array at the end.
 */
export type Out = Float32Array | Tensor;

/** Output arrays for several results, by name; a result without an entry gets a new array. */
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
