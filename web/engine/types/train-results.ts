// Results of a trainer, and options for long calls.

import type { CallOptions } from './options.ts';
import type { Tensor } from './tensors.ts';

/** The result of a call to `step`. `onProgress` is called with the report on a single step. */
export interface StepReport {
  /** Number of completed steps since the start of training. */
  readonly step: number;
  /** The mean loss over the steps of the report: nats per target, or the mean squared error of an image. */
  readonly loss: number;
  /** Norm of the gradient in the last step, before clipping. */
  readonly gradNorm: number;
  /** The learning rate of the last step. */
  readonly lr: number;
}

/** Options of `step`. */
export interface StepOptions {
  /** Called after every step. An exception stops training. */
  readonly onProgress?: ((report: StepReport) => void) | undefined;
  /** Aborting this signal rejects the call with the code 'cancelled' before the next step. Completed steps are kept. */
  readonly signal?: CallOptions['signal'];
}

/** The options for an evaluation. */
export interface EvaluateOptions {
  /** Lengths in tokens; default: the length in the config. */
  readonly lengths?: readonly number[] | undefined;
  /** Samples per length; the default depends on the task. */
  readonly numSamples?: number | undefined;
  /** How to treat tokens beyond the last row of a learned table: reject them (default), or use the last row. */
  readonly outOfRange?: 'error' | 'clamp' | undefined;
  /** Whether to compute the extra metrics of the task, which may take several seconds; default: true. */
  readonly extraMetrics?: boolean | undefined;
  /**
   * Called after each length. The extra metrics are computed together with the last length. If the function throws, the evaluation stops.
   */
  readonly onProgress?: ((score: LengthScore) => void) | undefined;
  /** Aborting this signal rejects the call with the code 'cancelled' before the next length. */
  readonly signal?: CallOptions['signal'];
}

/** The score of a model at one length. */
export interface LengthScore {
  /** The length in tokens. */
  readonly length: number;
  /** The loss: nats per target, or the mean squared error of an image. */
  readonly loss: number;
  /** The score in the unit of the task. */
  readonly score: number;
  /** Accuracy at each token; NaN where a token has no targets. */
  readonly accuracyAt: readonly number[];
}

/** The score of a model on samples that are not used for training. */
export interface Evaluation {
  /** Number of completed steps. */
  readonly step: number;
  /** The score of a guess that only knows the frequency of each class. */
  readonly chance: number;
  /** Scores in the order of the requested lengths. */
  readonly lengths: readonly LengthScore[];
  /** The extra metrics of the task, by name. */
  readonly metrics: { readonly [name: string]: number };
}

/** A head of a layer, by index. */
export interface HeadIndex {
  /** Index of the layer, from 0. */
  readonly layer: number;
  /** Index of the head within its layer, from 0. */
  readonly head: number;
}

/** Options of `ablateHeads`. */
export interface AblationOptions {
  /** How the output of a head is replaced: with 0, or with its mean over the tokens of a sample; default: 'zero'. */
  readonly type?: 'zero' | 'mean' | undefined;
}

/** Options of `kComposition`. */
export interface KCompositionOptions {
  /** Index of the earlier layer, whose output is read, from 0; default: 0. */
  readonly fromLayer?: number | undefined;
  /** Index of the later layer, whose keys read that output; default: 1. */
  readonly toLayer?: number | undefined;
  /** Distance from a key to its query, in positions; default: 1. */
  readonly distance?: number | undefined;
}

/** Queries and keys of all heads. */
export interface QueriesAndKeys {
  /** The queries [layers, heads, tokens, head dim], before the encoding transforms them. */
  readonly q: Tensor;
  /** The keys [layers, heads, tokens, head dim], before the encoding transforms them. */
  readonly k: Tensor;
}

/** All weights by their PyTorch names: 'layers.0.attention.in_proj_weight', 'encoding.table'. */
export type Weights = { readonly [name: string]: Tensor };

/** Bytes in memory that is not shared. From TypeScript 5.7 on, this is `Uint8Array<ArrayBuffer>`; before, the type was not generic. */
export type Bytes = ReturnType<Uint8ArrayConstructor['of']>;

/** The config and weights of a trainer as files for `transformer.py`, the same model in PyTorch. */
export interface PyTorchExport {
  /** The base name of both files: `order_rope.json` and `order_rope.safetensors`. */
  readonly name: string;
  /** The config as JSON, for `python transformer.py order_rope.json`. */
  readonly config: string;
  /** The current weights as a safetensors file with F32 tensors. */
  readonly weights: Bytes;
}
