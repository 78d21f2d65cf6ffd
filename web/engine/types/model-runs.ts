// A model in memory: its methods, their requests and results. The interface of phasor/model.

import type { Variant } from './api.ts';
import type { MaskInput } from './encodings.ts';
import type { DisposableLike } from './handles.ts';
import type { HeadMeasures, PositionChange } from './model-changes.ts';
import type { ModelInfo, TokenIds } from './model-files.ts';
import type { CallOptions } from './options.ts';
import type { Tensor } from './tensors.ts';

/** The results of a run other than the last hidden state, each returned only if requested. */
export type ModelOutputName = 'logits' | 'hiddenStates' | 'attentions' | 'loss' | 'headMeasures';

/** Keys and values of the tokens of earlier runs (past_key_values of transformers). */
export interface ModelCache extends DisposableLike {
  /** Number of tokens in it. */
  readonly length: number;
  /** Whether its memory has been freed. */
  readonly disposed: boolean;
  /**
   * Frees its memory. A second call does nothing. Throws nothing.
   * @example
   * ```js
   * const cache = await model.createCache({ maxLength: 16 });
   * cache.dispose();
   * cache.disposed; // true
   * ```
   */
  dispose(): void;
}

/** How a text is read. */
export interface TextOptions {
  /** [tokens]; 0 or false hides a token from all others, as padding. Default: all are visible. */
  readonly attentionMask?: MaskInput | undefined;
  /** [tokens], for encoders with segment embeddings; default: 0. */
  readonly tokenTypeIds?: TokenIds | undefined;
  /** Changes of the positions, the visible keys or the output of heads; not with a cache, which has its own changes. */
  readonly changes?: readonly PositionChange[] | undefined;
  /** Aborting rejects with the code 'cancelled'. A run cannot be interrupted: its worker ends it first, and the model remains. */
  readonly signal?: CallOptions['signal'];
}

/** Options of `run`. */
export interface RunOptions<W extends readonly ModelOutputName[] = readonly ModelOutputName[]> extends TextOptions {
  /** The results other than the last hidden state; default: 'logits' for models with an output head. */
  readonly outputs?: W | undefined;
  /** Number of most probable next tokens per token; default: 0. */
  readonly topK?: number | undefined;
  /** Number of last tokens for which logits, loss and predictions are returned; default: 0, all. */
  readonly logitsToKeep?: number | undefined;
  /** A cache whose tokens precede these, which are then added to it. */
  readonly cache?: ModelCache | undefined;
}

/** A prediction of the next token, or of a masked one. */
export interface TokenPrediction {
  /** The token. */
  readonly id: number;
  /** The natural logarithm of its probability. */
  readonly logProbability: number;
}

/** The results that are returned only if requested. */
export interface OptionalModelOutputs {
  /** [kept tokens, vocabSize] */
  readonly logits: Tensor;
  /** layers + 1 of [tokens, hiddenSize]: the input of each layer, and the last hidden state. */
  readonly hiddenStates: readonly Tensor[];
  /** The weights of each layer: [heads, tokens, keys]. */
  readonly attentions: readonly Tensor[];
  /** The mean of `logProbabilities`, negated; undefined for a single token. */
  readonly loss: number | undefined;
  /** Measures of each head on the text, which has at least two tokens, all of them visible. */
  readonly headMeasures: HeadMeasures;
}

/** The result of a run, as ModelOutput of transformers. */
export type ModelOutput<W extends readonly ModelOutputName[] = readonly ModelOutputName[]> = {
  /** The ids of the text. */
  readonly inputIds: readonly number[];
  /** [tokens, hiddenSize] */
  readonly lastHiddenState: Tensor;
  /** With the output 'loss': the log-probabilities of the second and later tokens. */
  readonly logProbabilities?: readonly number[];
  /** With `topK`: the most probable tokens after each kept token, in descending order. */
  readonly predictions?: readonly (readonly TokenPrediction[])[];
} & (number extends W['length'] ? Partial<Pick<OptionalModelOutputs, W[number]>> : Pick<OptionalModelOutputs, W[number]>);

/** Options of `queryKeyStates`. */
export interface QueryKeyStatesOptions extends TextOptions {
  /** The layer, from 0 on. */
  readonly layer: number;
}

/** Queries and keys of one layer after norms that precede its encoding, and after the encoding; without rotations both are equal. */
export interface QueryKeyStates {
  /** [heads, tokens, headDim] */
  readonly queries: Tensor;
  /** [kvHeads, tokens, headDim] */
  readonly keys: Tensor;
  /** [heads, tokens, headDim] */
  readonly rotatedQueries: Tensor;
  /** [kvHeads, tokens, headDim] */
  readonly rotatedKeys: Tensor;
}

/** Options of `createCache`. */
export interface ModelCacheOptions {
  /** Number of tokens. */
  readonly maxLength: number;
  /** The changes of all runs with the cache. */
  readonly changes?: readonly PositionChange[] | undefined;
}

/** Options of `attention`. */
export interface ModelAttentionOptions extends QueryKeyStatesOptions {
  /** A head; default: all. */
  readonly head?: number | undefined;
}

/** Options of `generate`. */
export interface GenerateOptions {
  /** Default: 20. */
  readonly maxNewTokens?: number | undefined;
  /** The id of the token that ends the generation. */
  readonly eosTokenId?: number | undefined;
  /** Number of alternatives per token, of which the first is generated; default: 1. */
  readonly topK?: number | undefined;
  /** As in `run`. */
  readonly changes?: readonly PositionChange[] | undefined;
  /** Aborting rejects the next token with the code 'cancelled'. */
  readonly signal?: CallOptions['signal'];
}

/** The progress of `lossByLength`. */
export interface WindowProgress {
  /** Number of completed windows. */
  readonly done: number;
  /** Number of windows of all lengths. */
  readonly total: number;
}

/** Options of `lossByLength`. */
export interface LossByLengthOptions {
  /** Numbers of tokens of a window, including its prefix. */
  readonly lengths: TokenIds;
  /** The first tokens of every window, such as <bos>, whose own predictions are not counted. */
  readonly prefixIds?: TokenIds | undefined;
  /** Maximum number of windows per length; default: 8. */
  readonly maxWindows?: number | undefined;
  /** As in `run`. */
  readonly changes?: readonly PositionChange[] | undefined;
  /** Called after each window. */
  readonly onProgress?: ((progress: WindowProgress) => void) | undefined;
  /** Aborting rejects with the code 'cancelled'. */
  readonly signal?: CallOptions['signal'];
}

/** The loss of windows of one length. */
export interface LengthLoss {
  /** Number of tokens of a window. */
  readonly length: number;
  /** Number of windows. */
  readonly windows: number;
  /** The mean over all predictions of tokens of the text, in nats. */
  readonly loss: number;
}

/** A generated token: the most probable one. */
export interface GeneratedToken extends TokenPrediction {
  /** The text that the token adds, if there is a tokenizer. */
  readonly text?: string;
  /** The most probable tokens, this one first. */
  readonly alternatives: readonly TokenPrediction[];
}

/**
 * A published model in memory, on the calling thread or in a worker: the same methods, done in the order of their calls. Texts are token
 * ids, or with a tokenizer strings. Errors are `PhasorError`s, as rejections.
 */
export interface Model extends DisposableLike {
  /** The properties of the model from the headers of its files. */
  readonly info: ModelInfo;
  /** The variant of its instructions. */
  readonly variant: Variant;
  /** The thread that runs the model. */
  readonly thread: 'worker' | 'same-thread';
  /** Whether the model was disposed of. */
  readonly disposed: boolean;

  /**
   * Runs the model on one text.
   * @throws {PhasorError} as a rejection: `invalid_argument` for an id outside the vocabulary, for more tokens than the model has
   * positions, and for an output that the model does not have; `resource_exhausted` for results above 1 GiB; `cancelled` where the signal
   * says so, after which a cache of the run is rejected
   * @example
   * ```js
   * const { logits, predictions } = await model.run([5, 6, 7], { outputs: ['logits'], topK: 2 });
   * logits.shape; // [3, 64]
   * predictions[2].length; // 2
   * ```
   */
  run<const W extends readonly ModelOutputName[] = readonly 'logits'[]>(
    input: TokenIds | string,
    options?: RunOptions<W>,
  ): Promise<ModelOutput<W>>;

  /**
   * The attention weights of one layer: [heads, tokens, tokens], or [1, tokens, tokens] for one head. Other layers return none, so long
   * texts need little memory.
   * @throws {PhasorError} as a rejection: as `run`, and `invalid_argument` for a layer or a head that the model does not have
   * @example
   * ```js
   * (await model.attention([5, 6, 7], { layer: 0 })).shape; // [4, 3, 3]
   * ```
   */
  attention(input: TokenIds | string, options: ModelAttentionOptions): Promise<Tensor>;

  /**
   * Queries and keys of one layer, before and after its encoding.
   * @throws {PhasorError} as a rejection: as `attention`, and `invalid_argument` for changes that differ between the heads of the layer
   * @example
   * ```js
   * const { queries, rotatedKeys } = await model.queryKeyStates([5, 6, 7], { layer: 0 });
   * queries.shape; // [4, 3, 8]
   * rotatedKeys.shape; // [2, 3, 8]
   * ```
   */
  queryKeyStates(input: TokenIds | string, options: QueryKeyStatesOptions): Promise<QueryKeyStates>;

  /**
   * Continues a text by the most probable token at each step.
   * @throws {PhasorError} as a rejection of the next token: as `run`; `invalid_argument` for a model that is not causal or has no head
   * @example
   * ```js
   * const ids = [];
   * for await (const { id } of model.generate([5, 6, 7], { maxNewTokens: 4 })) ids.push(id);
   * ids.length; // 4
   * ```
   */
  generate(input: TokenIds | string, options?: GenerateOptions): AsyncGenerator<GeneratedToken, void, undefined>;

  /**
   * The loss on consecutive windows of a text, for each of several lengths: also beyond the trained length, and with changes. The windows
   * of a length follow one another from the first token on; an incomplete last window is omitted.
   * @throws {PhasorError} as a rejection: as `run`; `invalid_argument` for a model that is not causal or has no head, and for lengths that
   * the text does not fill once
   * @example
   * ```js
   * const [short, long] = await model.lossByLength([5, 6, 7, 8, 9, 6, 7, 11], { lengths: [4, 8] });
   * short.windows; // 2
   * long.length; // 8
   * ```
   */
  lossByLength(input: TokenIds | string, options: LossByLengthOptions): Promise<readonly LengthLoss[]>;

  /**
   * A cache for at most `maxLength` tokens of a causal model. A run that takes its text beyond the original context of `longrope` (Phi-3) computes the keys
   * of all its tokens again, as transformers does.
   * @throws {PhasorError} as a rejection: `invalid_argument` for a model that is not causal, for more tokens than it has positions, and, with `dynamic`
   * scaling, than its original context has
   * @example
   * ```js
   * const cache = await model.createCache({ maxLength: 16 });
   * await model.run([5, 6, 7], { cache });
   * cache.length; // 3
   * cache.dispose();
   * ```
   */
  createCache(options: ModelCacheOptions): Promise<ModelCache>;

  /**
   * Frees the model's memory and ends its worker; later calls are rejected, a second `dispose` does nothing. Throws nothing.
   * @example
   * ```js
   * model.dispose();
   * model.disposed; // true
   * ```
   */
  dispose(): void;
}
