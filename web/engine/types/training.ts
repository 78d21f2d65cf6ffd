// Training: what phasor/train takes and gives.

import type { Variant } from './api.ts';
import type { EncodingChoice, NamedParams } from './encodings.ts';
import type { Disposes } from './handles.ts';
import type { CallOptions } from './options.ts';
import type { Tensor, TensorData } from './tensors.ts';

/**
 * What is trained and how. Only `task` is needed: every other field has the value that the task was proven with. Names and meanings are
 * PyTorch's where it has them; ranges and units are in `trainer.fields`.
 */
export interface TrainSpec {
  /** What the model learns: the `id` of one of `trainer.tasks`, such as 'order' or 'text'. */
  readonly task: string;
  /** Where the model gets positions from; default: 'none'. */
  readonly encoding?: EncodingChoice | undefined;
  /** Seed of the initial weights and of the batches, which are the same for every encoding. */
  readonly seed?: number | undefined;

  /** Number of layers, each attention and a feed-forward block, with the norm first (Xiong et al. 2020). */
  readonly layers?: number | undefined;
  /** Number of attention heads, which divides the width. */
  readonly heads?: number | undefined;
  /** Number of channels of the residual stream. */
  readonly width?: number | undefined;
  /** Units between the two products of a feed-forward block; 0: 4 width. */
  readonly feedForward?: number | undefined;
  /** The norm before each block. */
  readonly norm?: 'layer_norm' | 'rms_norm' | undefined;
  /** The activation between the two products of a feed-forward block. */
  readonly activation?: 'gelu' | 'gelu_tanh' | 'relu' | 'swiglu' | undefined;
  /** Whether a token attends only to itself and those before it. */
  readonly causal?: boolean | undefined;
  /** Whether the softmax of every row has a sink: a learned logit of each head, at first 0 (gpt-oss). */
  readonly sinks?: boolean | undefined;
  /** Whether each head's queries and keys are divided by their root mean square and multiplied by learned weights, before the encoding (Qwen 3). */
  readonly qkNorm?: boolean | undefined;
  /** Whether logits are products with the embeddings. */
  readonly tiedHead?: boolean | undefined;
  /** Factor on q·k; default: the encoding's own, or 1 / √(width of a head). */
  readonly scale?: number | undefined;
  /** Position of the first token, in tokens. */
  readonly positionOffset?: number | undefined;
  /** Each step draws a random ascending subset of this many positions (Ruoss et al. 2023); 0: consecutive positions. */
  readonly randomizedPositions?: number | undefined;
  /** Standard deviation of a learned table that is added to the embeddings. */
  readonly inputStd?: number | undefined;

  /** Number of items in a batch. */
  readonly batch?: number | undefined;
  /** Number of tokens in an item. */
  readonly length?: number | undefined;
  /** Each step draws a length from here to `length`; 0: all have `length`. */
  readonly shortestLength?: number | undefined;
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
  readonly finalLr?: number | undefined;
  /** Decay rate of the running mean of gradients. */
  readonly beta1?: number | undefined;
  /** Decay rate of the running mean of their squares. */
  readonly beta2?: number | undefined;
  /** Added to the square root of the mean of squares. */
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
  readonly tableLr?: number | undefined;
  /** The same bits on every machine, of one variant: without relaxed SIMD. */
  readonly portable?: boolean | undefined;
}

/** A spec with all its fields, as a trainer has read it. */
export type FullTrainSpec = {
  readonly [K in Exclude<keyof TrainSpec, 'task' | 'encoding' | 'corpus' | 'image' | 'scale'>]-?: Exclude<TrainSpec[K], undefined>;
} & {
  /** What the model learns. */
  readonly task: string;
  /** The encoding with the parameters that were given, and those that follow from the model. */
  readonly encoding: NamedParams;
  /** Absent where it is left to the encoding. */
  readonly scale?: number;
};

/** What a task says about itself. */
export interface TrainTask {
  /** Its name: 'order'. */
  readonly id: string;
  /** What the model learns, in one line. */
  readonly summary: string;
  /** The claim that it tests. */
  readonly claim: string;
  /** What its score is: 'accuracy', 'nats', 'perplexity', 'decibels'. */
  readonly score: string;
  /** Whether more is better. */
  readonly higherIsBetter: boolean;
}

/** A field of a spec. */
export interface TrainField {
  /** Its name: 'feedForward'. */
  readonly name: string;
  /** The kind of value it takes. */
  readonly kind: 'real' | 'integer' | 'boolean' | 'choice';
  /** The smallest value. */
  readonly min: number;
  /** The largest one. */
  readonly max: number;
  /** The words of a choice. */
  readonly choices: readonly string[];
  /** Its unit: 'tokens'. */
  readonly unit: string;
  /** What it does, in one line. */
  readonly summary: string;
}

/** What some steps have done. */
export interface StepReport {
  /** Number of steps since the beginning. */
  readonly step: number;
  /** The mean over these steps: nats per target, or the mean squared error of an image. */
  readonly loss: number;
  /** Norm of the last gradient, before clipping. */
  readonly gradNorm: number;
  /** The learning rate of the last step. */
  readonly lr: number;
}

/** Options of `step`. */
export interface StepOptions {
  /** Called after every single step. What it throws stops the steps. */
  readonly onProgress?: ((report: StepReport) => void) | undefined;
  /** Aborting rejects with the code 'cancelled' before the next step; the steps that were made stay made. */
  readonly signal?: CallOptions['signal'];
}

/** What is evaluated. */
export interface EvaluateOptions {
  /** Lengths in tokens; default: the length of the spec. */
  readonly lengths?: readonly number[] | undefined;
  /** Number of items of each length; default: as many as the task was proven with. */
  readonly items?: number | undefined;
  /** What to do with tokens beyond the last row of a learned table: refuse them (default), or give them the last row. */
  readonly beyond?: 'refuse' | 'clamp' | undefined;
  /** false: skips what else the task measures, which may take seconds. */
  readonly observe?: boolean | undefined;
  /** Called after each length; what else the task measures is found with the last. What it throws stops the evaluation. */
  readonly onProgress?: ((score: LengthScore) => void) | undefined;
  /** Aborting rejects with the code 'cancelled' before the next length. */
  readonly signal?: CallOptions['signal'];
}

/** How well a model does at one length. */
export interface LengthScore {
  /** In tokens. */
  readonly length: number;
  /** Nats per target, or the mean squared error of an image. */
  readonly loss: number;
  /** In the unit of the task. */
  readonly score: number;
  /** Share of correct answers at each token; NaN where a token has no targets. */
  readonly accuracyAt: readonly number[];
}

/** How well a model does, on items that training does not draw. */
export interface Evaluation {
  /** How many steps were made. */
  readonly step: number;
  /** The score of guessing from how often each answer occurs. */
  readonly chance: number;
  /** In the order of the lengths asked for. */
  readonly lengths: readonly LengthScore[];
  /** What else the task measures, by name. */
  readonly observed: { readonly [name: string]: number };
}

/** What scores are formed from. */
export interface QueriesAndKeys {
  /** [layers, heads, tokens, head width], before the encoding moves them */
  readonly q: Tensor;
  /** The same of keys. */
  readonly k: Tensor;
}

/** All weights by PyTorch's names: 'layers.0.attention.in_proj_weight', 'encoding.table'. */
export type Weights = { readonly [name: string]: Tensor };

/** A trainer as files for PyTorch. */
export interface PyTorchExport {
  /** What both files are called: `order_rope.py`, and `order_rope.safetensors` beside it. */
  readonly name: string;
  /** The program: model, encoding, task, schedule. */
  readonly program: string;
  /** The current weights, F32. */
  readonly weights: Uint8Array<ArrayBuffer>;
}

/**
 * A small transformer in training, on the calling thread or in a worker: the same methods, all of which return promises and are done in the
 * order of their calls. Errors are `PhasorError`s, as rejections.
 */
export interface Trainer extends Disposes {
  /** The spec with all its fields. */
  readonly spec: FullTrainSpec;
  /** Every task. */
  readonly tasks: readonly TrainTask[];
  /** Every field of a spec, with range and unit. */
  readonly fields: readonly TrainField[];
  /** What it computes with. */
  readonly variant: Variant;
  /** Where it computes. */
  readonly thread: 'calling' | 'worker' | 'same-thread';
  /** How many steps were made. */
  readonly stepsDone: number;
  /** Whether it was disposed of. */
  readonly disposed: boolean;

  /**
   * Makes `count` steps (default: 1), one by one, so that a page can draw and abort between two.
   * @throws {PhasorError} as a rejection: `cancelled` where the signal says so; `invalid_argument` for a step whose loss, gradient or weights
   * are not finite, which is undone
   * @example
   * ```js
   * const trainer = await createTrainer({ task: 'order', encoding: 'rope', batch: 8 });
   * const losses = [];
   * const { step } = await trainer.step(3, { onProgress: ({ loss }) => losses.push(loss) });
   * step; // 3
   * losses.length; // 3
   * trainer.dispose();
   * ```
   */
  step(count?: number, options?: StepOptions): Promise<StepReport>;

  /**
   * The score at each length, on items that depend on the seed alone. With `onProgress` or `signal` lengths are evaluated one by one, so that a page
   * can draw and abort between two; the answer is the same, and other calls of the trainer wait for it.
   * @throws {PhasorError} as a rejection: `cancelled` where the signal says so; `invalid_argument` for a length that the task, its corpus or a
   * learned table does not have
   * @example
   * ```js
   * const trainer = await createTrainer({ task: 'order', encoding: 'alibi' });
   * const { chance, lengths } = await trainer.evaluate({ lengths: [16, 32], items: 8 });
   * chance; // 0.5
   * lengths.map(({ length }) => length); // [16, 32]
   * trainer.dispose();
   * ```
   */
  evaluate(options?: EvaluateOptions): Promise<Evaluation>;

  /**
   * The weights of attention on these tokens: [layers, heads, tokens, tokens].
   * @throws {PhasorError} as a rejection: `invalid_argument` for a token that the task does not have
   * @example
   * ```js
   * const trainer = await createTrainer({ task: 'order', layers: 2, heads: 4 });
   * (await trainer.attentionMaps([0, 5, 1])).shape; // [2, 4, 3, 3]
   * trainer.dispose();
   * ```
   */
  attentionMaps(tokens: ArrayLike<number>): Promise<Tensor>;

  /**
   * Queries and keys of all heads on these tokens, *before* the encoding rotates or otherwise moves them, and before the factor on q·k. With the
   * encoding of the spec and a causal mask where the spec has one, `attention` of an engine makes the weights of `attentionMaps` from them. Encodings
   * that enter at the input are in them already, and so are the norms of `qkNorm`.
   * @throws {PhasorError} as a rejection: `invalid_argument` for a token that the task does not have, and for the task `image`, whose network has no
   * attention
   * @example
   * ```js
   * const trainer = await createTrainer({ task: 'order', layers: 2, heads: 4, width: 64 });
   * const { q, k } = await trainer.queriesAndKeys([0, 5, 1]);
   * q.shape; // [2, 4, 3, 16]
   * k.shape; // [2, 4, 3, 16]
   * trainer.dispose();
   * ```
   */
  queriesAndKeys(tokens: ArrayLike<number>): Promise<QueriesAndKeys>;

  /**
   * The logits after these tokens: [tokens, classes], or [1, classes] where the task has one answer.
   * @throws {PhasorError} as a rejection: `invalid_argument` for a token that the task does not have
   * @example
   * ```js
   * const trainer = await createTrainer({ task: 'order' });
   * (await trainer.logits([0, 5, 1])).shape; // [1, 2]
   * trainer.dispose();
   * ```
   */
  logits(tokens: ArrayLike<number>): Promise<Tensor>;

  /**
   * A text as tokens.
   * @throws {PhasorError} as a rejection: `invalid_argument` where the task reads no text, or the corpus lacks a symbol
   * @example
   * ```js
   * const corpus = 'the sun also rises, and the sun goes down. '.repeat(50);
   * const trainer = await createTrainer({ task: 'text', corpus, length: 16 });
   * (await trainer.tokens('sun')).length; // 3
   * trainer.dispose();
   * ```
   */
  tokens(text: string): Promise<readonly number[]>;

  /**
   * All weights by PyTorch's names. Throws nothing but what every method of a disposed trainer throws.
   * @example
   * ```js
   * const trainer = await createTrainer({ task: 'order', width: 32 });
   * (await trainer.weights())['embedding.weight'].shape; // [20, 32]
   * trainer.dispose();
   * ```
   */
  weights(): Promise<Weights>;

  /**
   * The weights as a safetensors file: F32, or F16 where half the bytes matter more than the last digits.
   * @throws {PhasorError} as a rejection: `invalid_argument` for a weight that F16 cannot hold
   * @example
   * ```js
   * const trainer = await createTrainer({ task: 'order' });
   * const half = await trainer.saveWeights({ stored: 'f16' });
   * half instanceof Uint8Array; // true
   * trainer.dispose();
   * ```
   */
  saveWeights(options?: {
    /** How numbers are stored; default: 'f32'. */
    readonly stored?: 'f32' | 'f16' | undefined;
  }): Promise<Uint8Array<ArrayBuffer>>;

  /**
   * Takes weights of the same names and shapes, as `weights` and `saveWeights` give them. Moments and the number of steps stay.
   * @throws {PhasorError} as a rejection: `invalid_argument` for a file that is not a safetensors file, and for a name or a shape that the model
   * does not have; nothing is changed then
   * @example
   * ```js
   * const trainer = await createTrainer({ task: 'order' });
   * await trainer.loadWeights(await trainer.saveWeights());
   * trainer.stepsDone; // 0
   * trainer.dispose();
   * ```
   */
  loadWeights(weights: { readonly [name: string]: TensorData } | Uint8Array | ArrayBuffer): Promise<void>;

  /**
   * Everything needed to continue, as a safetensors file: weights, moments, the number of steps. Throws nothing but what every method of a disposed
   * trainer throws.
   * @example
   * ```js
   * const trainer = await createTrainer({ task: 'order', batch: 8 });
   * await trainer.step(2);
   * const saved = await trainer.save();
   * await trainer.step(2);
   * await trainer.load(saved);
   * trainer.stepsDone; // 2
   * trainer.dispose();
   * ```
   */
  save(): Promise<Uint8Array<ArrayBuffer>>;

  /**
   * Continues from what `save` of a trainer of the same spec returned, bit for bit as if there had been no interruption (with the same variant).
   * @throws {PhasorError} as a rejection: `invalid_argument` for a file that is not a snapshot, or is one of another spec; nothing is changed then
   * @example
   * ```js
   * const trainer = await createTrainer({ task: 'order' });
   * await trainer.load(await trainer.save());
   * trainer.stepsDone; // 0
   * trainer.dispose();
   * ```
   */
  load(snapshot: Uint8Array | ArrayBuffer): Promise<void>;

  /**
   * The model, its encoding, its task and its schedule as one readable PyTorch program, which draws the same batches and runs under torchrun with
   * DistributedDataParallel. It begins with the current weights, a new optimizer and the first step of the schedule. All tasks but image, and all
   * encodings of one coordinate but fourier, nerf and mrope. A few parameters are only as they are by default, such as most scalings of rope.
   * @throws {PhasorError} as a rejection: `unsupported` for another task, another encoding, or a parameter that the program does not have
   * @example
   * ```js
   * const trainer = await createTrainer({ task: 'order', encoding: 'rope' });
   * const { name, program } = await trainer.toPyTorch();
   * name; // 'order_rope'
   * program.includes('DistributedDataParallel'); // true
   * trainer.dispose();
   * ```
   */
  toPyTorch(): Promise<PyTorchExport>;

  /**
   * Ends it and frees its memory; later calls are rejected, a second `dispose` does nothing. Throws nothing.
   * @example
   * ```js
   * const trainer = await createTrainer({ task: 'order' });
   * trainer.dispose();
   * trainer.disposed; // true
   * ```
   */
  dispose(): void;
}
