// The config of a trainer, and the descriptions of tasks and fields.

import type { EncodingConfig, EncodingSpec } from './encodings.ts';
import type { TensorData } from './tensors.ts';

/**
 * The training of a model. Only `task` is required: every other field has the default of the task. Names and meanings are PyTorch's where
 * it has them; ranges and units are in `trainer.fields`.
 */
export interface TrainConfig {
  /** The task: the `id` of one of `trainer.tasks`, such as 'order' or 'text'. */
  readonly task: string;
  /** The encoding of positions; default: 'none'. */
  readonly encoding?: EncodingSpec | undefined;
  /** Seed of the initial weights and of the batches, which are the same for every encoding. */
  readonly seed?: number | undefined;

  /** Number of layers, each attention and a feed-forward block, with the norm first (Xiong et al. 2020). */
  readonly layers?: number | undefined;
  /** Number of attention heads, which divides embedDim. */
  readonly heads?: number | undefined;
  /** Number of channels of the residual stream. */
  readonly embedDim?: number | undefined;
  /** Hidden units of the feed-forward layer; 0: 4 embedDim. */
  readonly dimFeedforward?: number | undefined;
  /** The norm before each block. */
  readonly norm?: 'layer_norm' | 'rms_norm' | undefined;
  /** Activation of the feed-forward layer. */
  readonly activation?: 'gelu' | 'gelu_tanh' | 'relu' | 'swiglu' | undefined;
  /** Whether a token attends only to itself and earlier ones. */
  readonly causal?: boolean | undefined;
  /** Whether the softmax of every row has a sink: a learned logit per head, initially 0 (gpt-oss). */
  readonly sinks?: boolean | undefined;
  /** Whether each head's queries and keys are divided by their root mean square and multiplied by learned weights, before the encoding (Qwen 3). */
  readonly qkNorm?: boolean | undefined;
  /** Whether logits are products with the embeddings. */
  readonly tieWordEmbeddings?: boolean | undefined;
  /** Factor on q·k; default: that of the encoding, or 1 / √(size of a head). */
  readonly scale?: number | undefined;
  /** Position of the first token, in tokens. */
  readonly positionOffset?: number | undefined;
  /** Each step draws a random ascending subset of this many positions (Ruoss et al. 2023); 0: consecutive positions. */
  readonly randomizedPositions?: number | undefined;
  /** Standard deviation of a learned table that is added to the embeddings. */
  readonly tableInitStd?: number | undefined;

  /** Number of samples in a batch. */
  readonly batchSize?: number | undefined;
  /** Number of tokens in a sample. */
  readonly sequenceLength?: number | undefined;
  /** Each step draws a length from this to `sequenceLength`; 0: all have `sequenceLength`. */
  readonly minSequenceLength?: number | undefined;
  /** The text, for tasks that read one. */
  readonly corpus?: string | undefined;
  /** The image, for the task that draws one: [rows, columns, channels], from 0 to 1. */
  readonly image?: TensorData | undefined;

  /** The optimizer. */
  readonly optimizer?: 'adamw' | 'sgd' | undefined;
  /** Number of steps in the schedule: a linear warm-up, then half a cosine. */
  readonly steps?: number | undefined;
  /** The learning rate after the warm-up. */
  readonly lr?: number | undefined;
  /** Number of steps until the full learning rate. */
  readonly warmupSteps?: number | undefined;
  /** Factor on lr in the last step; 1: constant after the warm-up. */
  readonly minLrRatio?: number | undefined;
  /** Decay rate of the running mean of gradients. */
  readonly beta1?: number | undefined;
  /** Decay rate of the running mean of squared gradients. */
  readonly beta2?: number | undefined;
  /** The term that is added to the square root of the mean of squares. */
  readonly eps?: number | undefined;
  /** Decoupled weight decay, of matrices only (Loshchilov and Hutter 2017). */
  readonly weightDecay?: number | undefined;
  /** Momentum of sgd. */
  readonly momentum?: number | undefined;
  /** Gradients with a larger norm are scaled down to it; 0: no clipping. */
  readonly maxGradNorm?: number | undefined;
  /** Label smoothing: the share of the target spread over all classes. */
  readonly labelSmoothing?: number | undefined;
  /** Factor on the learning rate of a table of biases (T5). */
  readonly biasTableLrScale?: number | undefined;
  /** Whether results are bitwise equal on every machine, without relaxed SIMD. */
  readonly portable?: boolean | undefined;
}

/** A config with all its fields, as resolved by a trainer. */
export type ResolvedTrainConfig = {
  readonly [K in Exclude<keyof TrainConfig, 'task' | 'encoding' | 'corpus' | 'image' | 'scale'>]-?: Exclude<TrainConfig[K], undefined>;
} & {
  /** The task. */
  readonly task: string;
  /** The encoding with the parameters of the caller, and those that depend on the model. */
  readonly encoding: EncodingConfig;
  /** The scale of q·k; absent if the encoding determines it. */
  readonly scale?: number;
};

/** The description of a task. */
export interface TaskInfo {
  /** Its name: 'order'. */
  readonly id: string;
  /** The task, in one line. */
  readonly summary: string;
  /** The claim that it tests. */
  readonly claim: string;
  /** The unit of its score: 'accuracy', 'nats', 'perplexity', 'decibels'. */
  readonly score: string;
  /** Whether a higher score is better. */
  readonly higherIsBetter: boolean;
}

/** A field of a config. */
export interface TrainParamInfo {
  /** Its name: 'dimFeedforward'. */
  readonly name: string;
  /** The type of its value. */
  readonly kind: 'real' | 'integer' | 'boolean' | 'choice';
  /** The smallest value. */
  readonly min: number;
  /** The largest value. */
  readonly max: number;
  /** The choices of a field of that type. */
  readonly choices: readonly string[];
  /** Its unit: 'tokens'. */
  readonly unit: string;
  /** A one-line description. */
  readonly summary: string;
}
