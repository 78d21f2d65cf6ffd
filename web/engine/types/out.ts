// Output arrays: arrays of the caller instead of new ones.

import type { Tensor } from './tensors.ts';

/**
 * A Float32Array that a result is written into, or a tensor of one, whose shape is compared too. It is then the `data` of the result. An
 * array of the wrong length, in shared memory, detached, or overlapping an argument or another `out` is rejected, and nothing is written.
 * In workers and pools the result is copied into it at the end.
 */
export type Out = Float32Array | Tensor;

/** Output arrays for results with names; an omitted name gets a new array. */
export type Outs<Names extends string> = { readonly [K in Names]?: Out | undefined };

/** A request whose result is one tensor. */
export interface WithOut {
  /** The array that the result is written into; default: a new one. */
  readonly out?: Out | undefined;
}

/** A request with several results. */
export interface WithOuts<Names extends string> {
  /** Arrays that results are written into, by their names; default: new ones. */
  readonly out?: Outs<Names> | undefined;
}

/** A request whose results are gradients, those of parameters by their names. */
export interface WithGradientOuts<Names extends string> {
  /** Arrays that gradients are written into, by their names; default: new ones. */
  readonly out?:
    | (Outs<Names> & {
        /** Output arrays for the gradients of learned parameters, by parameter. */
        readonly parameters?: { readonly [parameter: string]: Out | undefined } | undefined;
      })
    | undefined;
}
