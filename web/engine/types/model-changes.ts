// Changes to a model's positions, and measures of its attention heads, in phasor/model.

import type { TokenIds } from './model-files.ts';
import type { Tensor } from './tensors.ts';

/** The layers and heads that a change applies to. */
interface ChangeTarget {
  /**
   * Indices of layers, from 0; default: all. A change of the encoding skips layers without an encoding by default, and is rejected if such
   * a layer is listed.
   */
  readonly layers?: readonly number[] | undefined;
  /** Indices of query heads, from 0; default: all. */
  readonly heads?: readonly number[] | undefined;
}

/**
 * A change to the positions, the visible keys or the output of attention heads. Changes are applied in order, each to the result of the
 * previous ones. In models that add a position table to the embeddings (BERT, GPT-2), `none`, `shift`, `order` and `params` change the
 * table and accept neither `layers` nor `heads`. A change that is undefined for a layer's encoding is rejected.
 */
export type PositionChange = ChangeTarget &
  (
    | {
        /**
         * 'none': removes the positions; 'layout': rotates interleaved channel pairs instead of half_split pairs, or vice versa;
         * 'zero_ablation', 'mean_ablation': replace the output of heads, before the output projection, with 0 or with its mean over the
         * tokens; 'skip': skips the attention of whole layers, so that it adds nothing to the hidden states.
         */
        readonly kind: 'none' | 'layout' | 'zero_ablation' | 'mean_ablation' | 'skip';
      }
    | {
        /** Adds `shift` to every position. */
        readonly kind: 'shift';
        /** The number to add to every position. */
        readonly shift: number;
      }
    | {
        /** Encodes token t with the position of token `order[t]`. Masks and windows do not change. */
        readonly kind: 'order';
        /** A permutation of the indices of the tokens. */
        readonly order: TokenIds;
      }
    | {
        /** Replaces parameters of the encoding. */
        readonly kind: 'params';
        /**
         * New values by parameter name, such as base, scaling and factor. A scaling that uses original_length requires that parameter,
         * either here or in the layer's encoding.
         */
        readonly params: { readonly [name: string]: number | string | boolean | TokenIds };
      }
    | {
        /** Clips the distances that rope encodes to at most `clip` (ReRoPE). */
        readonly kind: 'clip';
        /** The maximum distance, at least 1. */
        readonly clip: number;
      }
    | {
        /**
         * Disables the rotation of rope's channel pairs [pairsBegin, pairsEnd) ('still'), or removes their contribution to the scores
         * ('drop').
         */
        readonly kind: 'still' | 'drop';
        /** The first pair. */
        readonly pairsBegin: number;
        /** The end of the range, exclusive. */
        readonly pairsEnd: number;
      }
    | {
        /** Replaces the layers' attention window. If `window` is omitted, every key that the mask does not hide is visible. */
        readonly kind: 'window';
        /** Keys at this distance or more from the query are masked. */
        readonly window?: number | undefined;
      }
  );

/**
 * Measures of each attention head on one text: [layers, heads] unless stated otherwise. a[i,j] is the weight of query i and key j, after
 * the run's changes. Values for single queries are averaged over all queries i for which the measure is defined, except query 0 of a causal
 * model, which attends only to itself. Measures that are undefined for the model or the text are absent.
 */
export interface HeadMeasures {
  /** The entropy -sum_j a[i,j] ln a[i,j], in nats. */
  readonly entropy: Tensor;
  /** The entropy divided by its maximum without a window: ln(i + 1), or ln(tokens) for a non-causal model. */
  readonly entropyNormalised: Tensor;
  /** The mean distance sum_j a[i,j] |i - j|, in tokens. */
  readonly distance: Tensor;
  /** The weight of the first token, a[i,0], for queries i > 0. */
  readonly first: Tensor;
  /** The weight of the last token, a[i,tokens-1], for queries i < tokens - 1. Only for non-causal models. */
  readonly last?: Tensor;
  /** The weight of the token itself, a[i,i]. */
  readonly self: Tensor;
  /** The weight of the previous token, a[i,i-1]. */
  readonly previous: Tensor;
  /** The weight of the next token, a[i,i+1]. Only for non-causal models. */
  readonly next?: Tensor;
  /**
   * The weight of other occurrences of the same token, or only of earlier ones in a causal model, averaged over queries whose token has
   * such an occurrence.
   */
  readonly duplicate?: Tensor;
  /** The value of `duplicate` for uniform weights. */
  readonly duplicateChance?: number;
  /**
   * The weight of the tokens that follow earlier occurrences of the query's token, averaged over queries whose token has occurred before
   * (Olsson et al. 2022, arXiv 2209.11895).
   */
  readonly induction?: Tensor;
  /** The value of `induction` for uniform weights. */
  readonly inductionChance?: number;
  /**
   * The fraction of the scores' variance that distance explains: 1 - Var(s - mean of s at the same distance) / Var(s), over the scores s of
   * all visible query-key pairs; 0 if all scores are equal.
   */
  readonly shareOfDistance: Tensor;
  /**
   * KL(a[i] || a0[i]) in nats, where a0 contains the weights of the same queries and keys without positions; absent if the model adds a
   * position table to the embeddings.
   */
  readonly useOfPosition?: Tensor;
  /**
   * Each rotary channel pair's share of |q| |k|, summed over visible queries and keys: [heads, pairs] for each layer (Barbero et al. 2024,
   * arXiv 2410.06205). Null for a layer without rope.
   */
  readonly pairsUsed?: readonly (Tensor | null)[];
  /**
   * The weight a[i,i-d] at each distance d: [layers, heads, distances]. d ranges from 0 to tokens - 1, or from 1 - tokens for a non-causal
   * model.
   */
  readonly profile: Tensor;
}
