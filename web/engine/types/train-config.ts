// Training configs, and the descriptions of tasks and config fields.

import type { EncodingConfig, EncodingSpec } from './encodings.ts';
import type { TensorData } from './tensors.ts';

/**
 * The config of a training run. Only `task` is required; the defaults of the other fields depend on the task. Names and meanings follow
 * PyTorch where it has an equivalent. `trainer.fields` lists the range and unit of each field.
 */
export interface TrainConfig {
  /** The task: the `id` of one of `trainer.tasks`, such as 'order' or 'text'. */
  readonly task: string;
  /** The positional encoding; default: 'none'. */
  readonly encoding?: EncodingSpec | undefined;
  /** Seed of the initial weights and the batches. Both are the same for every encoding. */
  readonly seed?: number | undefined;

  /** Number of layers. Each layer consists of attention and a feed-forward block, both preceded by a norm (pre-norm, Xiong et al. 2020). */
  readonly layers?: number | undefined;
  /** Number of attention heads; must divide `embedDim`. */
  readonly heads?: number | undefined;
  /** Number of channels of the residual stream. */
  readonly embedDim?: number | undefined;
  /** Number of hidden units in the feed-forward block; 0 means 4 * embedDim. */
  readonly dimFeedforward?: number | undefined;
  /** Type of the norm before each block. */
  readonly norm?: 'layer_norm' | 'rms_norm' | undefined;
  /** Activation function of the feed-forward block. */
  readonly activation?: 'gelu' | 'gelu_tanh' | 'relu' | 'swiglu' | undefined;
  /** Whether each token attends only to itself and earlier tokens. */
  readonly causal?: boolean | undefined;
  /** Whether the softmax of every row includes an attention sink: a learned logit per head, initially 0 (gpt-oss). */
  readonly sinks?: boolean | undefined;
  /** Whether to apply RMSNorm with learned weights to each head's queries and keys before they are encoded (Qwen 3). */
  readonly qkNorm?: boolean | undefined;
  /** Whether the output head shares its weights with the embeddings. */
  readonly tieWordEmbeddings?: boolean | undefined;
  /** Factor applied to q·k. Default: the encoding's factor, or 1 / √(head dim). */
  readonly scale?: number | undefined;
  /** Position of the first token. */
  readonly positionOffset?: number | undefined;
  /**
   * If not 0, each step draws the tokens' positions at random from this many consecutive positions, in ascending order and without
   * repetition (Ruoss et al. 2023). 0: the tokens' positions are consecutive.
   */
  readonly randomizedPositions?: number | undefined;
  /** Standard deviation used to initialize a learned position table. */
  readonly tableInitStd?: number | undefined;

  /** Number of samples in a batch. */
  readonly batchSize?: number | undefined;
  /** Number of tokens in a sample. */
  readonly sequenceLength?: number | undefined;
  /**
   * Minimum number of tokens in a sample. Each step draws a length between it and `sequenceLength`, inclusive. 0: always `sequenceLength`.
   */
  readonly minSequenceLength?: number | undefined;
  /** The text, for tasks that require one. */
  readonly corpus?: string | undefined;
  /** The image, for the task 'image': [rows, columns, channels], with values from 0 to 1. */
  readonly image?: TensorData | undefined;

  /** The optimizer. */
  readonly optimizer?: 'adamw' | 'sgd' | undefined;
  /** Number of steps in the learning rate schedule: a linear warm-up, then a cosine decay. */
  readonly steps?: number | undefined;
  /** The learning rate after the warm-up. */
  readonly lr?: number | undefined;
  /** Number of warm-up steps. */
  readonly warmupSteps?: number | undefined;
  /** Learning rate at the last step, as a fraction of `lr`. 1: constant after the warm-up. */
  readonly minLrRatio?: number | undefined;
  /** Decay rate of the running mean of gradients. */
  readonly beta1?: number | undefined;
  /** Decay rate of the running mean of squared gradients. */
  readonly beta2?: number | undefined;
  /** Added to the square root of the running mean of squared gradients. */
  readonly eps?: number | undefined;
  /** Decoupled weight decay, on matrices only (Loshchilov and Hutter 2017). */
  readonly weightDecay?: number | undefined;
  /** Momentum of SGD. */
  readonly momentum?: number | undefined;
  /** Maximum norm of the gradient; larger gradients are scaled down. 0: no clipping. */
  readonly maxGradNorm?: number | undefined;
  /** Label smoothing: the fraction of the target probability that is spread evenly over all classes. */
  readonly labelSmoothing?: number | undefined;
  /** Factor applied to the learning rate of bias tables (T5). */
  readonly biasTableLrScale?: number | undefined;
  /** Whether results must be bitwise identical on every machine. If true, relaxed SIMD is not used. */
  readonly portable?: boolean | undefined;
}

/** The config of a trainer, including default values. */
export type ResolvedTrainConfig = {
  readonly [K in Exclude<keyof TrainConfig, 'task' | 'encoding' | 'corpus' | 'image' | 'scale'>]-?: Exclude<TrainConfig[K], undefined>;
} & {
  /** The task. */
  readonly task: string;
  /** The encoding, including the parameters set by the caller and those determined by the model. */
  readonly encoding: EncodingConfig;
  /** Factor applied to q·k; absent if the encoding determines it. */
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

/** The description of a config field. */
export interface TrainParamInfo {
  /** The name of the field, such as 'dimFeedforward'. */
  readonly name: string;
  /** The type of the field's value. */
  readonly kind: 'real' | 'integer' | 'boolean' | 'choice';
  /** The smallest value. */
  readonly min: number;
  /** The largest value. */
  readonly max: number;
  /** The allowed values if `kind` is 'choice'; otherwise empty. */
  readonly choices: readonly string[];
  /** The unit, such as 'tokens'. */
  readonly unit: string;
  /** A one-line description. */
  readonly summary: string;
}
