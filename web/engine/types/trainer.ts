// The trainer interface of phasor/train.

import type { Variant } from './api.ts';
import type { DisposableLike } from './handles.ts';
import type { Tensor, TensorData } from './tensors.ts';
import type { ResolvedTrainConfig, TaskInfo, TrainParamInfo } from './train-config.ts';
import type {
  AblationOptions,
  Bytes,
  EvaluateOptions,
  Evaluation,
  HeadIndex,
  KCompositionOptions,
  PyTorchExport,
  QueriesAndKeys,
  StepOptions,
  StepReport,
  Weights,
} from './train-results.ts';

/**
 * Trains a small transformer, on the calling thread or in a worker. All methods except `dispose` return promises, and calls run in order. A
 * failed call rejects with a `PhasorError`.
 */
export interface Trainer extends DisposableLike {
  /** The config, including default values. */
  readonly config: ResolvedTrainConfig;
  /** The available tasks. */
  readonly tasks: readonly TaskInfo[];
  /** The config fields, with their ranges and units. */
  readonly fields: readonly TrainParamInfo[];
  /** The instruction variant of the engine. */
  readonly variant: Variant;
  /** The thread on which the model is trained. */
  readonly thread: 'worker' | 'same-thread';
  /** Number of completed training steps. */
  readonly globalStep: number;
  /** Whether `dispose` has been called. */
  readonly disposed: boolean;

  /**
   * Runs `count` training steps (default: 1). A page can render or abort between two steps.
   * @throws {PhasorError} rejects with `cancelled` if the signal is aborted, and with `invalid_argument` if the loss, gradient or weights
   * are not finite, in which case the step is undone
   * @example
   * ```js
   * const trainer = await createTrainer({ task: 'order', encoding: 'rope', batchSize: 8 });
   * const losses = [];
   * const { step } = await trainer.step(3, { onProgress: ({ loss }) => losses.push(loss) });
   * step; // 3
   * losses.length; // 3
   * trainer.dispose();
   * ```
   */
  step(count?: number, options?: StepOptions): Promise<StepReport>;

  /**
   * Computes the score at each length, on samples that depend only on the seed. With `onProgress` or `signal`, a page can render or abort
   * between two lengths. The result is the same, and other calls to the trainer wait until the evaluation ends.
   * @throws {PhasorError} rejects with `cancelled` if the signal is aborted, and with `invalid_argument` for a length that the task, its
   * corpus or a learned table does not support
   * @example
   * ```js
   * const trainer = await createTrainer({ task: 'order', encoding: 'alibi' });
   * const { chance, lengths } = await trainer.evaluate({ lengths: [16, 32], numSamples: 8 });
   * chance; // 0.5
   * lengths.map(({ length }) => length); // [16, 32]
   * trainer.dispose();
   * ```
   */
  evaluate(options?: EvaluateOptions): Promise<Evaluation>;

  /**
   * Computes the attention weights of all heads for these tokens: [layers, heads, tokens, tokens].
   * @throws {PhasorError} rejects with `invalid_argument` for a token outside the task's vocabulary
   * @example
   * ```js
   * const trainer = await createTrainer({ task: 'order', layers: 2, heads: 4 });
   * (await trainer.attentionWeights([0, 5, 1])).shape; // [2, 4, 3, 3]
   * trainer.dispose();
   * ```
   */
  attentionWeights(tokens: ArrayLike<number>): Promise<Tensor>;

  /**
   * Computes the queries and keys of all heads for these tokens, *before* the encoding transforms them and before q·k is scaled. From these
   * tensors, an engine's `attention` computes the same weights as `attentionWeights` if it receives the config's encoding, and a causal
   * mask if the config is causal. Input encodings and `qkNorm` are already applied.
   * @throws {PhasorError} rejects with `invalid_argument` for a token outside the task's vocabulary, and for the task `image`, whose
   * network has no attention
   * @example
   * ```js
   * const trainer = await createTrainer({ task: 'order', layers: 2, heads: 4, embedDim: 64 });
   * const { q, k } = await trainer.queriesAndKeys([0, 5, 1]);
   * q.shape; // [2, 4, 3, 16]
   * k.shape; // [2, 4, 3, 16]
   * trainer.dispose();
   * ```
   */
  queriesAndKeys(tokens: ArrayLike<number>): Promise<QueriesAndKeys>;

  /**
   * Computes the logits for these tokens: [tokens, classes], or [1, classes] if the task has a single target.
   * @throws {PhasorError} rejects with `invalid_argument` for a token outside the task's vocabulary
   * @example
   * ```js
   * const trainer = await createTrainer({ task: 'order' });
   * (await trainer.logits([0, 5, 1])).shape; // [1, 2]
   * trainer.dispose();
   * ```
   */
  logits(tokens: ArrayLike<number>): Promise<Tensor>;

  /**
   * Ablates these heads in all later evaluations, attention weights and logits: their outputs, before the output projection, are replaced
   * with 0 or with their mean over the tokens of a sample. Each call overrides the previous one, so an empty list restores the model. While
   * heads are ablated, `step` rejects.
   * @throws {PhasorError} rejects with `invalid_argument` for a head that the model does not have, in which case nothing changes
   * @example
   * ```js
   * const trainer = await createTrainer({ task: 'order', layers: 2, heads: 4 });
   * await trainer.ablateHeads([{ layer: 0, head: 3 }], { type: 'mean' });
   * const { lengths } = await trainer.evaluate({ numSamples: 8 });
   * lengths.length; // 1
   * await trainer.ablateHeads([]);
   * trainer.dispose();
   * ```
   */
  ablateHeads(heads: readonly HeadIndex[], options?: AblationOptions): Promise<void>;

  /**
   * Computes K-composition (Elhage et al. 2021), [heads of `fromLayer`, heads of `toLayer`]: how much the keys of each head in `toLayer`
   * read from the output of each head in `fromLayer`. Each value is |W_QK W_OV| / (|W_QK| |W_OV|) in Frobenius norms. Both matrices include
   * the gains of the norms. W_QK also includes the encoding for queries `distance` positions after the keys. For randomly rotated matrices,
   * the root mean square is 1 / sqrt(embedDim).
   * @throws {PhasorError} rejects with `invalid_argument` if `fromLayer` does not precede `toLayer`, or if the model's queries and keys are
   * not linear in their input
   * @example
   * ```js
   * const trainer = await createTrainer({ task: 'order', layers: 2, heads: 4 });
   * (await trainer.kComposition({ fromLayer: 0, toLayer: 1 })).shape; // [4, 4]
   * trainer.dispose();
   * ```
   */
  kComposition(options?: KCompositionOptions): Promise<Tensor>;

  /**
   * Converts text to token ids.
   * @throws {PhasorError} rejects with `invalid_argument` if the task does not use text, or if `text` contains a symbol that is not in the
   * corpus
   * @example
   * ```js
   * const corpus = 'the sun also rises, and the sun goes down. '.repeat(50);
   * const trainer = await createTrainer({ task: 'text', corpus, sequenceLength: 16 });
   * (await trainer.tokens('sun')).length; // 3
   * trainer.dispose();
   * ```
   */
  tokens(text: string): Promise<readonly number[]>;

  /**
   * Returns all weights by PyTorch name.
   * @throws {PhasorError} rejects with `invalid_argument` if the trainer is disposed
   * @example
   * ```js
   * const trainer = await createTrainer({ task: 'order', embedDim: 32 });
   * (await trainer.weights())['embedding.weight'].shape; // [20, 32]
   * trainer.dispose();
   * ```
   */
  weights(): Promise<Weights>;

  /**
   * Returns the weights as a safetensors file, in F32, or in F16 at half the size and lower precision.
   * @throws {PhasorError} rejects with `invalid_argument` for a weight that F16 cannot represent
   * @example
   * ```js
   * const trainer = await createTrainer({ task: 'order' });
   * const half = await trainer.saveWeights({ dtype: 'f16' });
   * half instanceof Uint8Array; // true
   * trainer.dispose();
   * ```
   */
  saveWeights(options?: {
    /** The data type of the stored tensors; default: 'f32'. */
    readonly dtype?: 'f32' | 'f16' | undefined;
  }): Promise<Bytes>;

  /**
   * Loads weights returned by `weights` or `saveWeights`. Names and shapes must match. The optimizer's moments and the step count are
   * unchanged.
   * @throws {PhasorError} rejects with `invalid_argument` for a file that is not a safetensors file, and for a name or shape that does not
   * match the model; in these cases nothing changes
   * @example
   * ```js
   * const trainer = await createTrainer({ task: 'order' });
   * await trainer.loadWeights(await trainer.saveWeights());
   * trainer.globalStep; // 0
   * trainer.dispose();
   * ```
   */
  loadWeights(weights: { readonly [name: string]: TensorData } | Uint8Array | ArrayBuffer): Promise<void>;

  /**
   * Returns a checkpoint for resuming training, as a safetensors file with the weights, the optimizer's moments and the step count.
   * @throws {PhasorError} rejects with `invalid_argument` if the trainer is disposed
   * @example
   * ```js
   * const trainer = await createTrainer({ task: 'order', batchSize: 8 });
   * await trainer.step(2);
   * const saved = await trainer.saveCheckpoint();
   * await trainer.step(2);
   * await trainer.loadCheckpoint(saved);
   * trainer.globalStep; // 2
   * trainer.dispose();
   * ```
   */
  saveCheckpoint(): Promise<Bytes>;

  /**
   * Restores a checkpoint that `saveCheckpoint` returned for the same config. Training then continues as if it had not been interrupted,
   * with bitwise identical results on the same variant.
   * @throws {PhasorError} rejects with `invalid_argument` for a file that is not a checkpoint of the same config, in which case nothing
   * changes
   * @example
   * ```js
   * const trainer = await createTrainer({ task: 'order' });
   * await trainer.loadCheckpoint(await trainer.saveCheckpoint());
   * trainer.globalStep; // 0
   * trainer.dispose();
   * ```
   */
  loadCheckpoint(checkpoint: Uint8Array | ArrayBuffer): Promise<void>;

  /**
   * Exports the config and weights as files for `transformer.py`, which implements the same model in PyTorch. The program is in the folder
   * `reference` of every built site. It starts from these weights with a new optimizer at the first step of the schedule, draws the same
   * batches, and runs under torchrun with DistributedDataParallel. It supports all tasks except `image`.
   * @throws {PhasorError} rejects with `unsupported` for a task, encoding or parameter that the program does not implement
   * @example
   * ```js
   * const trainer = await createTrainer({ task: 'order', encoding: 'rope' });
   * const { name, config } = await trainer.toPyTorch();
   * name; // 'order_rope'
   * JSON.parse(config).task; // 'order'
   * trainer.dispose();
   * ```
   */
  toPyTorch(): Promise<PyTorchExport>;

  /**
   * Disposes of the trainer and frees its memory. Later calls reject; a second `dispose` has no effect. Throws nothing.
   * @example
   * ```js
   * const trainer = await createTrainer({ task: 'order' });
   * trainer.dispose();
   * trainer.disposed; // true
   * ```
   */
  dispose(): void;
}
