// The attention methods of an engine and their backward passes. `Phasor` in api.ts extends this interface.

import type {
  AttentionBackwardRequest,
  AttentionGradients,
  AttentionOutput,
  AttentionRequest,
  AttentionResult,
  WithOutputs,
} from './attention.ts';
import type { SelfAttentionBackwardRequest, SelfAttentionCall, SelfAttentionGradients, SelfAttentionResult } from './layers.ts';

export interface AttentionMethods {
  /**
   * Computes scaled dot-product attention with any encoding except `input` encodings, which `selfAttention` applies. Memory grows linearly
   * with the sequence length unless weights, scores or bias are requested.
   * @throws {PhasorError} `unknown_name` for a name that does not exist; `invalid_argument` for incompatible shapes, an `input` encoding,
   * and numbers that are not finite; `resource_exhausted` for results above 1 GiB
   * @example
   * ```js
   * const x = phasor.randomNormal({ seed: 1, shape: [2, 6, 8] }); // [head, token, channel]
   * const { output, weights } = phasor.attention({ q: x, k: x, v: x, mask: 'causal', encoding: 'alibi', outputs: ['weights'] });
   * output.shape; // [2, 6, 8]
   * weights.shape; // [2, 6, 6]
   * weights.data[1]; // 0
   * ```
   */
  attention<const W extends readonly AttentionOutput[] = readonly []>(request: WithOutputs<AttentionRequest, W>): AttentionResult<W>;

  /**
   * Computes the backward pass of `attention`. The scores are recomputed, not stored. Gradients have the shapes of their inputs.
   * @throws {PhasorError} the errors of `attention`, and `invalid_argument` if dOutput does not have the shape of the output
   * @example
   * ```js
   * const x = phasor.randomNormal({ seed: 1, shape: [2, 6, 8] });
   * const { dq, parameters } = phasor.attentionBackward({ q: x, k: x, v: x, dOutput: x, encoding: 't5' });
   * dq.shape; // [2, 6, 8]
   * parameters.table.shape; // [32, 2]
   * ```
   */
  attentionBackward(request: AttentionBackwardRequest): AttentionGradients;

  /**
   * Runs one attention layer on embeddings [length, dim]: positional encoding, projections and multi-head attention.
   * @throws {PhasorError} `unknown_name` for a name that does not exist; `invalid_argument` if heads does not divide dim, for incompatible
   * shapes, and for numbers that are not finite; `resource_exhausted` for results above 1 GiB
   * @example
   * ```js
   * const x = phasor.randomNormal({ seed: 1, shape: [6, 8] }); // [token, channel]
   * const { output, weights } = phasor.selfAttention({ x, heads: 2, encoding: 'sinusoidal', outputs: ['weights'] });
   * output.shape; // [6, 8]
   * weights.shape; // [2, 6, 6]
   * phasor.selfAttention({ x, heads: 2, head: 1, outputs: ['weights'], computeOutput: false }).weights.shape; // [1, 6, 6]
   * ```
   */
  selfAttention<const W extends readonly AttentionOutput[] = readonly [], O extends boolean = true>(
    request: SelfAttentionCall<W, O>,
  ): SelfAttentionResult<W, O>;

  /**
   * Computes the backward pass of `selfAttention`, including the gradient of a learned table.
   * @throws {PhasorError} the errors of `selfAttention`, and `invalid_argument` if dOutput is not [length, dim]
   * @example
   * ```js
   * const x = phasor.randomNormal({ seed: 1, shape: [6, 8] });
   * const { dx, parameters } = phasor.selfAttentionBackward({ x, heads: 2, encoding: { id: 'learned', max_length: 16 }, dOutput: x });
   * dx.shape; // [6, 8]
   * parameters.table.shape; // [16, 8]
   * ```
   */
  selfAttentionBackward(request: SelfAttentionBackwardRequest): SelfAttentionGradients;
}
