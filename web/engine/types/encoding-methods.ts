// The engine's methods for a single encoding, as part of `Phasor` in api.ts.

import type {
  ApplyRotaryRequest,
  AttentionBiasRequest,
  CombineRequest,
  EncodingConfig,
  EncodingWithDim,
  PositionIdsRequest,
  PositionTableRequest,
  RopeDistancesRequest,
  RopeFrequencies,
  SegmentIdsRequest,
  VideoPositionsRequest,
} from './encodings.ts';
import type { ConfigEncoding, ConfigLayers, ConfigOptions, RopeConfigOptions } from './models.ts';
import type { WithOuts } from './out.ts';
import type { Tensor, TensorInput } from './tensors.ts';

export interface EncodingMethods {
  /**
   * The table that an `input` encoding adds to the embeddings: [length, dim].
   * @throws {PhasorError} `unknown_name` for an encoding, parameter or field that does not exist; `invalid_argument` for an encoding
   * without a table (the message names the method to call instead), and for a value outside its range; `resource_exhausted` for a result
   * above 1 GiB
   * @example
   * ```js
   * const table = phasor.positionTable({ encoding: { id: 'sinusoidal', base: 10000 }, length: 50, dim: 128 });
   * table.shape; // [50, 128]
   * table.data[128]; // 0.841471
   * ```
   */
  positionTable(request: PositionTableRequest): Tensor;

  /**
   * The angles in radians by which a `query_key` encoding rotates each pair of channels: [length, pairs].
   * @throws {PhasorError} `unknown_name` for a name that does not exist; `invalid_argument` for an encoding that does not rotate, and for a
   * value outside its range; `resource_exhausted` for a result above 1 GiB
   * @example
   * ```js
   * phasor.rotaryAngles({ encoding: 'rope', length: 3, dim: 4 }).data; // [0, 0, 1, 0.01, 2, 0.02]
   * const ones = { shape: [1, 3, 4], data: [1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0] };
   * phasor.applyRotary(ones, { encoding: 'rope' }).data.slice(4, 6); // [0.540302, 0.841471]
   * ```
   */
  rotaryAngles(request: PositionTableRequest): Tensor;

  /**
   * The bias that a `score` encoding adds to the scores before the softmax: [heads, queries, keys].
   * @throws {PhasorError} `unknown_name` for a name that does not exist; `invalid_argument` for an encoding that adds no bias or whose bias
   * depends on queries and keys, and for a value outside its range; `resource_exhausted` for a result above 1 GiB
   * @example
   * ```js
   * phasor.attentionBias({ encoding: { id: 'alibi', slopes: [0.5] }, heads: 1, queries: 1, keys: 3 }).data; // [-1, -0.5, 0]
   * ```
   */
  attentionBias(request: AttentionBiasRequest): Tensor;

  /**
   * Applies a `query_key` encoding to queries or keys x: [heads, length, dim], optionally preceded by a batch axis. Returns a new tensor of
   * the same shape.
   * @throws {PhasorError} `unknown_name` for a name that does not exist; `invalid_argument` for an encoding that transforms neither queries
   * nor keys, and for sizes that do not match the encoding
   * @example
   * ```js
   * const q = { shape: [1, 2, 2], data: [1, 0, 1, 0] };
   * phasor.applyRotary(q, { encoding: 'rope', positions: [0, 1] }).data; // [1, 0, 0.540302, 0.841471]
   * ```
   */
  applyRotary(x: TensorInput, request: ApplyRotaryRequest): Tensor;

  /**
   * The distances in tokens that `rope` uses to compute scores: [queries, keys]. The distance from query i to key j is i - j, or the value
   * to which the parameter `remap` maps it; it is 0 for keys after the query. `dim` is the head size.
   * @throws {PhasorError} `unknown_name` for a name that does not exist; `invalid_argument` for an encoding without distances, and for a
   * value outside its range
   * @example
   * ```js
   * const encoding = { id: 'rope', remap: 'rerope', window: 2 };
   * phasor.ropeDistances({ encoding, dim: 8, queryPositions: [5], keyPositions: [1, 4, 5] }).data; // [2, 1, 0]
   * ```
   */
  ropeDistances(request: RopeDistancesRequest): Tensor;

  /**
   * The frequencies of `rope` or `mrope` after scaling, in radians per token. `dim` is the head size.
   * @throws {PhasorError} `unknown_name` for a name that does not exist; `invalid_argument` for any other encoding, and for a value outside
   * its range
   * @example
   * ```js
   * const { invFreq, attentionFactor } = phasor.ropeFrequencies({ encoding: { id: 'rope', base: 10000 }, dim: 8 });
   * invFreq.data; // [1, 0.1, 0.01, 0.001]
   * attentionFactor; // 1
   * ```
   */
  ropeFrequencies(request: EncodingWithDim & WithOuts<'invFreq'>): RopeFrequencies;

  /**
   * The rotary encoding of a published model, read from its parsed config.json (Hugging Face transformers, versions 4 and 5) or from its
   * rope_scaling / rope_parameters alone. Reads the text model of a multimodal config. Missing keys have the defaults of the model's
   * family. If layers differ, `layerType` or `layerIdx` must select one.
   * @throws {PhasorError} `invalid_argument` when a RoPE key is missing or unknown, when a value has the wrong type or is out of range,
   * when layers differ and none is selected, when the layer does not rotate, and when the model_type is not listed in docs/models.md
   * (`encodingFromConfig` reads some unlisted models, and returns its assumptions)
   * @example
   * ```js
   * const encoding = phasor.ropeFromConfig({ model_type: 'llama', rope_theta: 500000 });
   * encoding.base; // 500000
   * encoding.layout; // 'half_split'
   * ```
   */
  ropeFromConfig(config: object, request?: RopeConfigOptions): EncodingConfig;

  /**
   * The positional encoding of a published model: rotary as in `ropeFromConfig`, ALiBi, T5 buckets, learned tables, sinusoids, the
   * encodings of DeBERTa and Transformer-XL, or none. A config with an unlisted model_type is accepted only if all its position-related
   * keys are known; `assumed` then contains the assumptions.
   * @throws {PhasorError} `invalid_argument` as for `ropeFromConfig`, and for a config with keys of two encodings
   * @example
   * ```js
   * const { encoding, sourceKeys } = phasor.encodingFromConfig({ model_type: 'bloom', n_head: 8 });
   * encoding.id; // 'alibi'
   * sourceKeys.n_head; // 8
   * ```
   */
  encodingFromConfig(config: object, request?: ConfigOptions): ConfigEncoding;

  /**
   * All layers of a published model, each with its encoding, window, scale of q.k, and attention options (soft cap, sinks, query-key norm).
   * Supports every listed model_type with layers that attend to text. Encoder layers precede decoder layers.
   * @throws {PhasorError} `unknown_name` for a model_type that is not listed; `invalid_argument` as for `encodingFromConfig`, and if
   * num_hidden_layers is missing
   * @example
   * ```js
   * const { layers } = phasor.layersFromConfig({ model_type: 'gpt_oss', num_hidden_layers: 24 });
   * layers[0].window; // 128
   * layers[1].window; // undefined
   * layers[0].sinks; // true
   * ```
   */
  layersFromConfig(config: object): ConfigLayers;

  /**
   * Adds a table to embeddings, [length, dim], or concatenates the two, [length, dim + table dim].
   * @throws {PhasorError} `invalid_argument` if the shapes do not match; `unknown_name` for a field that does not exist
   * @example
   * ```js
   * const x = { shape: [1, 2], data: [1, 2] };
   * phasor.combine({ x, table: x }).data; // [2, 4]
   * phasor.combine({ x, table: x, mode: 'concatenate' }).shape; // [1, 4]
   * ```
   */
  combine(request: CombineRequest): Tensor;

  /**
   * Position ids of a padded sequence under the conventions of several model families: [tokens], integers.
   * @throws {PhasorError} `invalid_argument` for a mask with a value other than 0, 1, false and true, and for a value outside its range
   * @example
   * ```js
   * phasor.positionIds({ attentionMask: [0, 1, 1], mode: 'bloom' }).data; // [0, 0, 1]
   * ```
   */
  positionIds(request: PositionIdsRequest): Tensor;

  /**
   * The segment ids of packed sequences, from their cumulative lengths (FlashAttention's `cu_seqlens`): [tokens], whole numbers from 0, for
   * `querySegmentIds` and `keySegmentIds` of `attention`.
   * @throws {PhasorError} `invalid_argument` for lengths that do not start at 0 or are not ascending, and for a total of 0 tokens
   * @example
   * ```js
   * phasor.segmentIds({ cuSeqlens: [0, 3, 5] }).data; // [0, 0, 0, 1, 1]
   * ```
   */
  segmentIds(request: SegmentIdsRequest): Tensor;

  /**
   * Positions of text that contains a video, for mrope with arrangement 'video' (VideoRoPE): [tokens, 3], the time, row and column of each
   * token. Video tokens are ordered frame by frame and row by row. The row and column coordinates of a frame are centred on its time
   * coordinate.
   * @throws {PhasorError} `invalid_argument` for a negative number of tokens, patches or frames, for a grid in which only some sizes are 0,
   * and for a total of 0 tokens
   * @example
   * ```js
   * phasor.videoPositions({ before: 1, grid: [1, 1, 3], after: 1 }).data; // [0, 0, 0, 1, 1, 0, 1, 1, 1, 1, 1, 2, 2, 2, 2]
   * ```
   */
  videoPositions(request: VideoPositionsRequest): Tensor;
}
