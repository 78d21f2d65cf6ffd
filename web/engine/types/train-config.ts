// The config of a trainer, and the descriptions of tasks and config fields.

import type { EncodingConfig, EncodingSpec } from './encodings.ts';
import type { TensorData } from './tensors.ts';

/**
 * The config of a training run. Only `task` is required. The defaults of the other fields depend on the task. Names and meanings are those
 * of PyTorch where it has an equivalent. `trainer.fields` contains the range and unit of each field.
 */
export interface TrainConfig {
  /** The task: the `id` of one of `trainer.tasks`, such as 'order' or 'text'. */
  readonly task: string;
  /** The encoding of positions; default: 'none'. */
  readonly encoding?: EncodingSpec | undefined;
  /** Seed of the initial weights and the batches, which are the same for every encoding. */
  readonly seed?: number | undefined;

  /**
   * Number of layers. A layer consists of attention and a feed-forward block, and each is preceded by a norm (pre-norm, Xiong et al. 2020).
   */
  readonly layers?: number | undefined;
  /** Number of attention heads, which must divide embedDim. */
  readonly heads?: number | undefined;
  /** Number of channels of the residual stream. */
  readonly embedDim?: number | undefined;
  /** Number of hidden units of the feed-forward block; 0: 4 * embedDim. */
  readonly dimFeedforward?: number | undefined;
  /** The norm before each block. */
  readonly norm?: 'layer_norm' | 'rms_norm' | undefined;
  /** Activation of the feed-forward block. */
  readonly activation?: 'gelu' | 'gelu_tanh' | 'relu' | 'swiglu' | undefined;
  /** Whether a token attends only to itself and to earlier tokens. */
  readonly causal?: boolean | undefined;
  /** Whether the softmax of every row has a sink: a learned logit per head, initially 0 (gpt-oss). */
  readonly sinks?: boolean | undefined;
  /**
   * Whether the queries and keys of each head are divided by their root mean square and multiplied by learned weights before they are
   * encoded (Qwen 3).
   */
  readonly qkNorm?: boolean | undefined;
  /** Whether the output head shares its weights with the embeddings. */
  readonly tieWordEmbeddings?: boolean | undefined;
  /** The factor on q·k. Default: the factor of the encoding, or 1 / √(size of a head). */
  readonly scale?: number | undefined;
  /** Position of the first token, in tokens. */
  readonly positionOffset?: number | undefined;
  /**
   * If not 0, the number of consecutive positions from which each step draws a random ascending subset, one position for each token (Ruoss
   * et al. 2023). 0: consecutive positions.
   */
  readonly randomizedPositions?: number | undefined;
  /** Standard deviation of the initial values of a learned table that is added to the embeddings. */
  readonly tableInitStd?: number | undefined;

  /** Number of samples in a batch. */
  readonly batchSize?: number | undefined;
  /** Number of tokens in a sample. */
  readonly sequenceLength?: number | undefined;
  /** If not 0, each step draws a length from this to `sequenceLength`, both inclusive. 0: all samples have `sequenceLength` tokens. */
  readonly minSequenceLength?: number | undefined;
  /** The text, for tasks that read a text. */
  readonly corpus?: string | undefined;
  /** The image, for the task 'image': [rows, columns, channels], with values from 0 to 1. */
  readonly image?: TensorData | undefined;

  /** The optimizer. */
  readonly optimizer?: 'adamw' | 'sgd' | undefined;
  /** Number of steps in the schedule: a linear warm-up, then a cosine decay. */
  readonly steps?: number | undefined;
  /** The learning rate after the warm-up. */
  readonly lr?: number | undefined;
  /** Number of warm-up steps, after which the learning rate is `lr`. */
  readonly warmupSteps?: number | undefined;
  /** The learning rate in the last step, as a fraction of `lr`. 1: constant after the warm-up. */
  readonly minLrRatio?: number | undefined;
  /** Decay rate of the running mean of gradients. */
  readonly beta1?: number | undefined;
  /** Decay rate of the running mean of squared gradients. */
  readonly beta2?: number | undefined;
  /** Added to the root of the running mean of squared gradients. */
  readonly eps?: number | undefined;
  /** Decoupled weight decay, on matrices only (Loshchilov and Hutter 2017). */
  readonly weightDecay?: number | undefined;
  /** Momentum of sgd. */
  readonly momentum?: number | undefined;
  /** Maximum norm of the gradient; larger gradients are scaled down. 0: no clipping. */
  readonly maxGradNorm?: number | undefined;
  /** Label smoothing: the fraction of the target that is spread over all classes. */
  readonly labelSmoothing?: number | undefined;
  /** Factor on the learning rate of bias tables (T5). */
  readonly biasTableLrScale?: number | undefined;
  /** Whether results must be bitwise equal on every machine. Relaxed SIMD is then not used. */
  readonly portable?: boolean | undefined;
}

/** The config of a trainer, with the values of all fields. */
export type ResolvedTrainConfig = {
  readonly [K in Exclude<keyof TrainConfig, 'task' | 'encoding' | 'corpus' | 'image' | 'scale'>]-?: Exclude<TrainConfig[K], undefined>;
} & {
  /** The task. */
  readonly task: string;
  /** The encoding, with the parameters that the caller has set and those that the model determines. */
  readonly encoding: EncodingConfig;
  /** The scale of q·k; absent if the encoding determines it. */
  readonly scale?: number;
};

/** The description of a task. */
export interface TaskInfo {
  /** The id of the task, such as 'order'. */
  readonly id: string;
  /** A one-line description of the task. */
  readonly summary: string;
  /** The claim about positional encodings that the task tests. */
  readonly claim: string;
  /** The unit of the score: 'accuracy', 'nats', 'perplexity', 'decibels'. */
  readonly score: string;
  /** Whether a higher score is better. */
  readonly higherIsBetter: boolean;
}

/** A field of a config. */
export interface TrainParamInfo {
  /** The name of the field, such as 'dimFeedforward'. */
  readonly name: string;
  /** The type of the value. */
  readonly kind: 'real' | 'integer' | 'boolean' | 'choice';
  /** The smallest value. */
  readonly min: number;
  /** The largest value. */
  readonly max: number;
  /** The allowed values of a choice; empty for other types. */
  readonly choices: readonly string[];
  /** The unit, such as 'tokens'. */
  readonly unit: string;
  /** A one-line description. */
  readonly summary: string;
}
