// The methods of a model in memory, with their requests and results, in phasor/model.

import type { Variant } from './api.ts';
import type { MaskInput } from './encodings.ts';
import type { DisposableLike } from './handles.ts';
import type { HeadMeasures, PositionChange } from './model-changes.ts';
import type { ModelInfo, TokenIds } from './model-files.ts';
import type { CallOptions } from './options.ts';
import type { Tensor } from './tensors.ts';

/** Results of a run that are returned only if requested. */
export type ModelOutputName = 'logits' | 'hiddenStates' | 'attentions' | 'loss' | 'headMeasures';

/** The keys and values of tokens from earlier runs (past_key_values in transformers). */
export interface ModelCache extends DisposableLike {
  /** Number of tokens in the cache. */
  readonly length: number;
  /** Whether the memory of the cache has been freed. */
  readonly disposed: boolean;
  /**
   * Frees the memory of the cache. Calling it again has no effect. Throws nothing.
   * @example
   * ```js
   * const cache = await model.createCache({ maxLength: 16 });
   * cache.dispose();
   * cache.disposed; // true
   * ```
   */
  dispose(): void;
}

/** Options for calls that take text. */
export interface TextOptions {
  /** The attention mask: [tokens]; 0 or false hides a token (padding) from all other tokens. Default: all tokens are visible. */
  readonly attentionMask?: MaskInput | undefined;
  /** The token types for encoders with segment embeddings: [tokens]; default: 0. */
  readonly tokenTypeIds?: TokenIds | undefined;
  /** Changes to positions, visible keys or outputs of heads. With a cache, set the changes in `createCache` instead. */
  readonly changes?: readonly PositionChange[] | undefined;
  /**
   * Aborting this signal rejects the call with the code 'cancelled'. The worker still finishes the run, because it cannot be interrupted;
   * the model remains usable.
   */
  readonly signal?: CallOptions['signal'];
}

/** Options of `run`. */
export interface RunOptions<W extends readonly ModelOutputName[] = readonly ModelOutputName[]> extends TextOptions {
  /** Results to return besides the last hidden state; default: 'logits' for models with an output head. */
  readonly outputs?: W | undefined;
  /** Number of predictions to return per token, most probable first; default: 0. */
  readonly topK?: number | undefined;
  /** Number of final tokens for which to return logits, loss and predictions; default: 0 (all tokens). */
  readonly logitsToKeep?: number | undefined;
  /** The cache of the preceding tokens, to which the run appends its tokens. */
  readonly cache?: ModelCache | undefined;
}

/** A prediction of the next token, or of a masked token. */
export interface TokenPrediction {
  /** The id of the token. */
  readonly id: number;
  /** The natural logarithm of the token's probability. */
  readonly logProbability: number;
}

/** The results that are returned only if requested. */
export interface OptionalModelOutputs {
  /** [kept tokens, vocabSize] */
  readonly logits: Tensor;
  /** The input of each layer, and the last hidden state: layers + 1 tensors [tokens, hiddenSize]. */
  readonly hiddenStates: readonly Tensor[];
  /** The attention weights of each layer: [heads, tokens, keys]. */
  readonly attentions: readonly Tensor[];
  /** Minus the mean of `logProbabilities`; undefined if only one token is kept. */
  readonly loss: number | undefined;
  /** Measures of each head on the text, which must have at least two tokens, all of them visible. */
  readonly headMeasures: HeadMeasures;
}

/** The result of a run, like ModelOutput in transformers. */
export type ModelOutput<W extends readonly ModelOutputName[] = readonly ModelOutputName[]> = {
  /** The token ids of the text. */
  readonly inputIds: readonly number[];
  /** [tokens, hiddenSize] */
  readonly lastHiddenState: Tensor;
  /** The log-probability of each kept token except the first. Present with the output 'loss'. */
  readonly logProbabilities?: readonly number[];
  /** The most probable tokens after each kept token, most probable first. Present if `topK` is above 0. */
  readonly predictions?: readonly (readonly TokenPrediction[])[];
} & (number extends W['length'] ? Partial<Pick<OptionalModelOutputs, W[number]>> : Pick<OptionalModelOutputs, W[number]>);

/** Options of `queryKeyStates`. */
export interface QueryKeyStatesOptions extends TextOptions {
  /** Index of the layer, from 0. */
  readonly layer: number;
}

/**
 * Queries and keys of one layer, before and after rotation. Both include norms that precede the encoding. If the encoding does not rotate,
 * they are equal.
 */
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
  /** Maximum number of tokens. */
  readonly maxLength: number;
  /** Changes that apply to all runs with the cache. */
  readonly changes?: readonly PositionChange[] | undefined;
}

/** Options of `attention`. */
export interface ModelAttentionOptions extends QueryKeyStatesOptions {
  /** Index of a head; default: all heads. */
  readonly head?: number | undefined;
}

/** Options of `generate`. */
export interface GenerateOptions {
  /** Maximum number of generated tokens; default: 20. */
  readonly maxNewTokens?: number | undefined;
  /** Id of the token after which generation ends. */
  readonly eosTokenId?: number | undefined;
  /** Number of most probable tokens to return in each step, the first of which is generated; default: 1. */
  readonly topK?: number | undefined;
  /** Changes, as in `run`. */
  readonly changes?: readonly PositionChange[] | undefined;
  /** Aborting this signal rejects the next token with the code 'cancelled'. */
  readonly signal?: CallOptions['signal'];
}

/** The progress of `lossByLength`. */
export interface WindowProgress {
  /** Number of completed windows. */
  readonly done: number;
  /** Total number of windows. */
  readonly total: number;
}

/** Options of `lossByLength`. */
export interface LossByLengthOptions {
  /** Window lengths in tokens, including the prefix. */
  readonly lengths: TokenIds;
  /** Tokens at the start of every window, such as <bos>. The loss does not count them as predicted tokens. */
  readonly prefixIds?: TokenIds | undefined;
  /** Maximum number of windows per length; default: 8. */
  readonly maxWindows?: number | undefined;
  /** Changes, as in `run`. */
  readonly changes?: readonly PositionChange[] | undefined;
  /** Called after each window. */
  readonly onProgress?: ((progress: WindowProgress) => void) | undefined;
  /** Aborting this signal rejects the call with the code 'cancelled'. */
  readonly signal?: CallOptions['signal'];
}

/** The loss over all windows of one length. */
export interface LengthLoss {
  /** Number of tokens per window, including the prefix. */
  readonly length: number;
  /** Number of windows. */
  readonly windows: number;
  /** The mean loss over all predicted text tokens in the windows, in nats. */
  readonly loss: number;
}

/** A generated token, the most probable one in its step. */
export interface GeneratedToken extends TokenPrediction {
  /** The text that this token adds. Present if the model has a tokenizer. */
  readonly text?: string;
  /** The most probable tokens; the first is the generated token. */
  readonly alternatives: readonly TokenPrediction[];
}

/**
 * A published model in memory, on the calling thread or in a worker. Calls run in order. Text is passed as token ids, or as a string if the
 * model has a tokenizer. All errors are rejections with a `PhasorError`.
 */
export interface Model extends DisposableLike {
  /** The properties of the model, read from the headers of its files. */
  readonly info: ModelInfo;
  /** The instruction variant of the engine. */
  readonly variant: Variant;
  /** The thread that runs the model. */
  readonly thread: 'worker' | 'same-thread';
  /** Whether the memory of the model has been freed. */
  readonly disposed: boolean;

  /**
   * Runs the model on one text.
   * @throws {PhasorError} rejects with `invalid_argument` for an id outside the vocabulary, for more tokens than the model has positions,
   * and for an output that the model does not have; with `resource_exhausted` for results above 1 GiB; with `cancelled` if the signal is
   * aborted, after which the cache can no longer be used
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
   * The attention weights of one layer: [heads, tokens, tokens], or [1, tokens, tokens] for one head. Stores no weights of other layers, so
   * that long texts need less memory.
   * @throws {PhasorError} rejects with the errors of `run`, and with `invalid_argument` for a layer or a head that the model does not have
   * @example
   * ```js
   * (await model.attention([5, 6, 7], { layer: 0 })).shape; // [4, 3, 3]
   * ```
   */
  attention(input: TokenIds | string, options: ModelAttentionOptions): Promise<Tensor>;

  /**
   * Returns the queries and keys of one layer, before and after the encoding.
   * @throws {PhasorError} rejects with the errors of `attention`, and with `invalid_argument` for changes that differ between the heads of
   * the layer
   * @example
   * ```js
   * const { queries, rotatedKeys } = await model.queryKeyStates([5, 6, 7], { layer: 0 });
   * queries.shape; // [4, 3, 8]
   * rotatedKeys.shape; // [2, 3, 8]
   * ```
   */
  queryKeyStates(input: TokenIds | string, options: QueryKeyStatesOptions): Promise<QueryKeyStates>;

  /**
   * Continues a text by greedy decoding: generates the most probable token in each step.
   * @throws {PhasorError} rejects the next token with the errors of `run`, and with `invalid_argument` for a model that is not causal or
   * has no output head
   * @example
   * ```js
   * const ids = [];
   * for await (const { id } of model.generate([5, 6, 7], { maxNewTokens: 4 })) ids.push(id);
   * ids.length; // 4
   * ```
   */
  generate(input: TokenIds | string, options?: GenerateOptions): AsyncGenerator<GeneratedToken, void, undefined>;

  /**
   * The loss on consecutive windows of a text, for each of several window lengths, which may exceed the trained length. For each length,
   * the windows cover the text from its first token; an incomplete last window is omitted.
   * @throws {PhasorError} rejects with the errors of `run`, and with `invalid_argument` for a model that is not causal or has no output
   * head, and for lengths above that of prefix and text
   * @example
   * ```js
   * const [short, long] = await model.lossByLength([5, 6, 7, 8, 9, 6, 7, 11], { lengths: [4, 8] });
   * short.windows; // 2
   * long.length; // 8
   * ```
   */
  lossByLength(input: TokenIds | string, options: LossByLengthOptions): Promise<readonly LengthLoss[]>;

  /**
   * Creates a cache for at most `maxLength` tokens of a causal model. A run that exceeds the original context of `longrope` (Phi-3)
   * recomputes the keys of all tokens, as transformers does.
   * @throws {PhasorError} rejects with `invalid_argument` for a model that is not causal, for more tokens than the model has positions, and
   * with `dynamic` scaling for more tokens than the original context
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
   * Frees the memory of the model and terminates its worker. Later calls are rejected; a second `dispose` has no effect. Throws nothing.
   * @example
   * ```js
   * model.dispose();
   * model.disposed; // true
   * ```
   */
  dispose(): void;
}
