// Training: the interface of phasor/train.

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
 * A small transformer that is being trained, on the calling thread or in a worker. All methods return promises, and calls run in order.
 * Every error is a rejection with a `PhasorError`.
 */
export interface Trainer extends DisposableLike {
  /** The config with all fields. */
  readonly config: ResolvedTrainConfig;
  /** Every task. */
  readonly tasks: readonly TaskInfo[];
  /** Every field of a config, with its range and unit. */
  readonly fields: readonly TrainParamInfo[];
  /** The instruction variant of the engine. */
  readonly variant: Variant;
  /** The thread on which the model is trained. */
  readonly thread: 'worker' | 'same-thread';
  /** Number of completed steps. */
  readonly globalStep: number;
  /** Whether the trainer was disposed of. */
  readonly disposed: boolean;

  /**
   * Runs `count` steps (default: 1), one by one, so that a page can draw or abort between two steps.
   * @throws {PhasorError} rejects with `cancelled` if the signal is aborted, and with `invalid_argument` if the loss, gradient or weights
   * are not finite; the step is then undone
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
   * The score at each length, on samples that depend only on the seed. With `onProgress` or `signal`, lengths are evaluated one by one, so
   * that a page can draw or abort between two lengths; the result is the same, and other calls of the trainer wait until the evaluation ends.
   * @throws {PhasorError} rejects with `cancelled` if the signal is aborted, and with `invalid_argument` for a length that the task, its
   * corpus or a learned table does not cover
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
   * The attention weights on these tokens: [layers, heads, tokens, tokens].
   * @throws {PhasorError} rejects with `invalid_argument` for a token that the task does not have
   * @example
   * ```js
   * const trainer = await createTrainer({ task: 'order', layers: 2, heads: 4 });
   * (await trainer.attentionWeights([0, 5, 1])).shape; // [2, 4, 3, 3]
   * trainer.dispose();
   * ```
   */
  attentionWeights(tokens: ArrayLike<number>): Promise<Tensor>;

  /**
   * Queries and keys of all heads on these tokens, *before* the encoding transforms them, and before the scale of q·k is applied.
   * `attention` of an engine computes the weights of `attentionWeights` from these tensors, with the encoding of the config and a causal mask
   * if the config has one. The tensors include input encodings, and the norms of `qkNorm`.
   * @throws {PhasorError} rejects with `invalid_argument` for a token that the task does not have, and for the task `image`, whose network
   * has no attention
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
   * The logits after these tokens: [tokens, classes], or [1, classes] if the task has one target.
   * @throws {PhasorError} rejects with `invalid_argument` for a token that the task does not have
   * @example
   * ```js
   * const trainer = await createTrainer({ task: 'order' });
   * (await trainer.logits([0, 5, 1])).shape; // [1, 2]
   * trainer.dispose();
   * ```
   */
  logits(tokens: ArrayLike<number>): Promise<Tensor>;

  /**
   * Replaces the outputs of these heads, before the output projection, in all later evaluations, attention weights and logits: by 0, or by
   * their mean over the tokens of a sample. Each call replaces the previous one, so an empty list restores the model. While heads are ablated,
   * steps are rejected.
   * @throws {PhasorError} rejects with `invalid_argument` for a head that the model does not have; then nothing changes
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
   * K-composition (Elhage et al. 2021), [heads, heads]: how much the keys of each head of `toLayer` read from the output of each head of
   * `fromLayer`. It is |W_QK W_OV| / (|W_QK| |W_OV|) in Frobenius norms. The matrices include the gains of the norms, and W_QK the
   * encoding of queries `distance` positions after keys. For randomly rotated matrices the root mean square is 1 / sqrt(embedDim).
   * @throws {PhasorError} rejects with `invalid_argument` for layers that are not in this order, and for a model whose queries and keys are
   * not linear
   * @example
   * ```js
   * const trainer = await createTrainer({ task: 'order', layers: 2, heads: 4 });
   * (await trainer.kComposition({ fromLayer: 0, toLayer: 1 })).shape; // [4, 4]
   * trainer.dispose();
   * ```
   */
  kComposition(options?: KCompositionOptions): Promise<Tensor>;

  /**
   * A text as tokens.
   * @throws {PhasorError} rejects with `invalid_argument` if the task reads no text, or the corpus lacks a symbol
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
   * All weights by PyTorch name.
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
   * The weights as a safetensors file, in F32, or in F16 with half the size and lower precision.
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
    /** The type of the stored numbers; default: 'f32'. */
    readonly dtype?: 'f32' | 'f16' | undefined;
  }): Promise<Bytes>;

  /**
   * Loads weights of the same names and shapes, as returned by `weights` and `saveWeights`. Moments and the number of steps are unchanged.
   * @throws {PhasorError} rejects with `invalid_argument` for a file that is not a safetensors file, and for a name or a shape that the
   * model does not have; then nothing changes
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
   * A checkpoint with the state needed to continue training, as a safetensors file: weights, moments and the number of steps.
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
   * Continues from a result of `saveCheckpoint` of a trainer with the same config, bitwise equal to a run without interruption (with the
   * same variant).
   * @throws {PhasorError} rejects with `invalid_argument` for a file that is not a checkpoint of the same config; then nothing changes
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
   * The config and the weights as files for `transformer.py`, the same model in PyTorch: the program is in the folder `reference` of every
   * built site, draws the same batches, and runs under torchrun with DistributedDataParallel. It begins with these weights, a new optimizer
   * and the first step of the schedule. It supports all tasks except `image`.
   * @throws {PhasorError} rejects with `unsupported` for a task, an encoding or a parameter that the program does not have
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
   * Ends the trainer and frees its memory. Later calls are rejected; a second `dispose` does nothing. Throws nothing.
   * @example
   * ```js
   * const trainer = await createTrainer({ task: 'order' });
   * trainer.dispose();
   * trainer.disposed; // true
   * ```
   */
  dispose(): void;
}
