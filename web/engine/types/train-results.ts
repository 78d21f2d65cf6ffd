// Options and results of a trainer's methods.

import type { CallOptions } from './options.ts';
import type { Tensor } from './tensors.ts';

/** The result of `step`. The report passed to `onProgress` covers a single step. */
export interface StepReport {
  /** Number of completed steps since the start of training. */
  readonly step: number;
  /** Mean loss over the reported steps: nats per target, or mean squared error for the task 'image'. */
  readonly loss: number;
  /** Norm of the gradient in the last step, before clipping. */
  readonly gradNorm: number;
  /** Learning rate at the last step. */
  readonly lr: number;
}

/** Options of `step`. */
export interface StepOptions {
  /** Called after every step. If it throws, training stops. */
  readonly onProgress?: ((report: StepReport) => void) | undefined;
  /** Aborting this signal stops training before the next step and rejects the call with the code 'cancelled'. Completed steps are kept. */
  readonly signal?: CallOptions['signal'];
}

/** Options of `evaluate`. */
export interface EvaluateOptions {
  /** Sample lengths to evaluate, in tokens; default: the config's `sequenceLength`. */
  readonly lengths?: readonly number[] | undefined;
  /** Number of samples per length; the default depends on the task. */
  readonly numSamples?: number | undefined;
  /** Whether tokens beyond the last row of a learned table cause an error (default) or use the last row. */
  readonly outOfRange?: 'error' | 'clamp' | undefined;
  /** Whether to compute the extra metrics of the task, which may take several seconds; default: true. */
  readonly extraMetrics?: boolean | undefined;
  /** Called after each length. The last call also waits for the extra metrics. If the callback throws, the evaluation stops. */
  readonly onProgress?: ((score: LengthScore) => void) | undefined;
  /** Aborting this signal stops the evaluation before the next length and rejects the call with the code 'cancelled'. */
  readonly signal?: CallOptions['signal'];
}

/** The score of a model at one length. */
export interface LengthScore {
  /** The length in tokens. */
  readonly length: number;
  /** Loss: nats per target, or mean squared error for the task 'image'. */
  readonly loss: number;
  /** The score in the unit of the task. */
  readonly score: number;
  /** Accuracy at each token position; NaN at positions without a target. */
  readonly accuracyAt: readonly number[];
}

/** Scores of a model on samples that are not used for training. */
export interface Evaluation {
  /** Number of completed training steps. */
  readonly step: number;
  /** The score of the best prediction that ignores the input. */
  readonly chance: number;
  /** One score per length, in the requested order. */
  readonly lengths: readonly LengthScore[];
  /** The extra metrics of the task, by name. */
  readonly metrics: { readonly [name: string]: number };
}

/** Identifies an attention head by its layer and index. */
export interface HeadIndex {
  /** Index of the layer, from 0. */
  readonly layer: number;
  /** Index of the head within its layer, from 0. */
  readonly head: number;
}

/** Options of `ablateHeads`. */
export interface AblationOptions {
  /** The value that replaces a head's output: 0, or its mean over the tokens of a sample; default: 'zero'. */
  readonly type?: 'zero' | 'mean' | undefined;
}

/** Options of `kComposition`. */
export interface KCompositionOptions {
  /** Zero-based index of the earlier layer, whose output is read; default: 0. */
  readonly fromLayer?: number | undefined;
  /** Zero-based index of the later layer, whose keys read the output of `fromLayer`; default: 1. */
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

/** All weights by PyTorch name, such as 'layers.0.attention.in_proj_weight' or 'encoding.table'. */
export type Weights = { readonly [name: string]: Tensor };

/**
 * A Uint8Array that is not backed by shared memory. Its type is `Uint8Array<ArrayBuffer>` since TypeScript 5.7, and `Uint8Array` before.
 */
export type Bytes = ReturnType<Uint8ArrayConstructor['of']>;

/** The config and weights of a trainer as files for `transformer.py`, which implements the same model in PyTorch. */
export interface PyTorchExport {
  /** The base name of both files, such as 'order_rope' for `order_rope.json` and `order_rope.safetensors`. */
  readonly name: string;
  /** The config as JSON, for `python transformer.py order_rope.json`. */
  readonly config: string;
  /** The current weights as a safetensors file with F32 tensors. */
  readonly weights: Bytes;
}
