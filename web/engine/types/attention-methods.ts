// What an engine answers about attention, and its backward passes. A part of `Phasor`, in api.ts.

import type {
  AttentionGradientRequest,
  AttentionGradients,
  AttentionRequest,
  AttentionResult,
  BiasSteps,
  BiasStepsRequest,
  ScoreChain,
  ScoreChainRequest,
  Want,
  Wanting,
} from './attention.ts';
import type { LayerCall, LayerGradientRequest, LayerGradients, LayerOutput, LayerResult } from './layers.ts';

export interface AttentionMethods {
  /**
   * Scaled dot-product attention with any encoding except `input` encodings, which `layer` applies. Memory grows linearly with the sequence
   * unless weights, scores or bias are wanted.
   * @throws {PhasorError} `unknown_name` for a name that does not exist; `invalid_argument` for shapes that do not fit each other, an `input`
   * encoding, and numbers that are not finite; `resource_exhausted` for results above 1 GiB
   * @example
   * ```js
   * const x = phasor.gaussian({ seed: 1, shape: [2, 6, 8] }); // [head, token, channel]
   * const { output, weights } = phasor.attention({ q: x, k: x, v: x, mask: 'causal', encoding: 'alibi', want: ['weights'] });
   * output.shape; // [2, 6, 8]
   * weights.shape; // [2, 6, 6]
   * weights.data[1]; // 0
   * ```
   */
  attention<const W extends readonly Want[] = readonly []>(request: Wanting<AttentionRequest, W>): AttentionResult<W>;

  /**
   * The backward pass of `attention`, also streaming: scores are recomputed, not stored. Gradients have the shapes of what they are about.
   * @throws {PhasorError} as `attention`, and `invalid_argument` where dOutput has not the shape of the output
   * @example
   * ```js
   * const x = phasor.gaussian({ seed: 1, shape: [2, 6, 8] });
   * const { dq, parameters } = phasor.attentionGradient({ q: x, k: x, v: x, dOutput: x, encoding: 't5' });
   * dq.shape; // [2, 6, 8]
   * parameters.table.shape; // [32, 2]
   * ```
   */
  attentionGradient(request: AttentionGradientRequest): AttentionGradients;

  /**
   * How the bias between one query and one key is formed, step by step: distance, bucket, table entry, bias.
   * @throws {PhasorError} `invalid_argument` for an encoding that adds no bias, for one that needs whole rows (cope, transformer_xl), and as
   * `attention`
   * @example
   * ```js
   * const x = phasor.gaussian({ seed: 1, shape: [1, 6, 8] });
   * const { names, values } = phasor.biasSteps({ q: x, k: x, encoding: 't5', query: 5, key: 0 });
   * names; // ['distance', 'bucket', 'entry', 'bias']
   * values.data[0]; // -5
   * ```
   */
  biasSteps(request: BiasStepsRequest): BiasSteps;

  /**
   * How one row of attention weights is formed: products, bias, mask, exponentials, weights, each [keys] and in float64.
   * @throws {PhasorError} as `attention`, and `invalid_argument` for a query or a head that is not there
   * @example
   * ```js
   * const x = phasor.gaussian({ seed: 1, shape: [1, 6, 8] });
   * const chain = phasor.scoreChain({ q: x, k: x, query: 2, mask: 'causal' });
   * chain.exponential.data[5]; // 0
   * chain.scale; // 0.353553
   * ```
   */
  scoreChain(request: ScoreChainRequest): ScoreChain;

  /**
   * One attention layer, from embeddings [length, width] to embeddings: positional encoding, projections and multi-head attention.
   * @throws {PhasorError} `unknown_name` for a name that does not exist; `invalid_argument` where heads do not divide the width, and as
   * `attention`; `resource_exhausted` for results above 1 GiB
   * @example
   * ```js
   * const x = phasor.gaussian({ seed: 1, shape: [6, 8] }); // [token, channel]
   * const { output, weights } = phasor.layer({ x, heads: 2, encoding: 'sinusoidal', want: ['weights'] });
   * output.shape; // [6, 8]
   * weights.shape; // [2, 6, 6]
   * phasor.layer({ x, heads: 2, head: 1, want: ['weights'], output: 'omitted' }).weights.shape; // [1, 6, 6]
   * ```
   */
  layer<const W extends readonly Want[] = readonly [], O extends LayerOutput = 'returned'>(request: LayerCall<W, O>): LayerResult<W, O>;

  /**
   * The backward pass of `layer`, including the gradient of a learned table.
   * @throws {PhasorError} as `layer`, and `invalid_argument` where dOutput is not [length, width]
   * @example
   * ```js
   * const x = phasor.gaussian({ seed: 1, shape: [6, 8] });
   * const { dx, parameters } = phasor.layerGradient({ x, heads: 2, encoding: { id: 'learned', max_length: 16 }, dOutput: x });
   * dx.shape; // [6, 8]
   * parameters.table.shape; // [16, 8]
   * ```
   */
  layerGradient(request: LayerGradientRequest): LayerGradients;
}
