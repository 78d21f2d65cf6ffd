// Changes to the positions of a model, and measurements of its attention heads, in phasor/model.

import type { TokenIds } from './model-files.ts';
import type { Tensor } from './tensors.ts';

/** The layers and heads that a change applies to. */
interface ChangeTarget {
  /**
   * Indices of layers, from 0; default: all. By default, a change of the encoding skips layers without an encoding. If such a layer is
   * listed, the change is rejected.
   */
  readonly layers?: readonly number[] | undefined;
  /** Indices of query heads, from 0; default: all. */
  readonly heads?: readonly number[] | undefined;
}

/**
 * A change of the positions, the visible keys or the output of heads. Changes are applied in order, each to the result of the previous
 * ones. If positions are a table added to the embeddings (BERT, GPT-2), `none`, `shift`, `order` and `params` change the table, and take
 * neither `layers` nor `heads`. A change that is undefined for the encoding of a layer is rejected by name.
 */
export type PositionChange = ChangeTarget &
  (
    | {
        /**
         * 'none': no positions; 'layout': half_split pairs of rope become interleaved pairs, and vice versa; 'zero_ablation',
         * 'mean_ablation': the output of heads before the output projection is replaced by 0, or by its mean over the tokens; 'skip':
         * attention of whole layers adds nothing.
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
        /** Encodes token t at the position of token `order[t]`. Masks and windows do not change. */
        readonly kind: 'order';
        /** A permutation of the indices of the tokens. */
        readonly order: TokenIds;
      }
    | {
        /** Replaces parameters of the encoding. */
        readonly kind: 'params';
        /**
         * New values by parameter name, such as base, scaling and factor. A scaling that uses original_length requires that parameter,
         * either here or in the layer.
         */
        readonly params: { readonly [name: string]: number | string | boolean | TokenIds };
      }
    | {
        /** Limits the distances of rope to at most `clip` (ReRoPE). */
        readonly kind: 'clip';
        /** The maximum distance, at least 1. */
        readonly clip: number;
      }
    | {
        /**
         * Selects the channel pairs [pairsBegin, pairsEnd) of rope. They are not rotated ('still'), or they contribute nothing to the score
         * ('drop').
         */
        readonly kind: 'still' | 'drop';
        /** The first pair. */
        readonly pairsBegin: number;
        /** The end of the range, exclusive. */
        readonly pairsEnd: number;
      }
    | {
        /** Replaces the window of the layers. Without `window`, every key that the mask does not hide is visible. */
        readonly kind: 'window';
        /** Keys at this distance or more are masked. */
        readonly window?: number | undefined;
      }
  );

/**
 * Measures of each head on one text: [layers, heads] unless stated otherwise. Each is a mean over rows i of the weights a of the head,
 * after the changes of the run. Rows for which a measure is undefined are omitted, and for causal models also row 0, which attends only to
 * itself. Measures that are undefined for the model or the text are absent.
 */
export interface HeadMeasures {
  /** The entropy -sum_j a[i,j] ln a[i,j], in nats. */
  readonly entropy: Tensor;
  /** The entropy divided by ln(i + 1), or by ln(tokens) for a model that is not causal: the maximum without a window. */
  readonly entropyNormalised: Tensor;
  /** The mean distance sum_j a[i,j] |i - j|, in tokens. */
  readonly distance: Tensor;
  /** The weight of the first token, a[i,0], for rows i > 0. */
  readonly first: Tensor;
  /** The weight of the last token, a[i,tokens-1], for rows i < tokens - 1. Only for models that are not causal. */
  readonly last?: Tensor;
  /** The weight of the token itself, a[i,i]. */
  readonly self: Tensor;
  /** The weight of the previous token, a[i,i-1]. */
  readonly previous: Tensor;
  /** The weight of the next token, a[i,i+1]. Only for models that are not causal. */
  readonly next?: Tensor;
  /**
   * The weight of other occurrences of the same token, or only of earlier ones in a causal model. Measured in the rows of tokens that have
   * such an occurrence.
   */
  readonly duplicate?: Tensor;
  /** The value that `duplicate` would have for uniform weights. */
  readonly duplicateChance?: number;
  /**
   * The weight of tokens that follow an earlier occurrence of the same token. Measured in the rows of tokens that have occurred before
   * (Olsson et al. 2022, arXiv 2209.11895).
   */
  readonly induction?: Tensor;
  /** The value that `induction` would have for uniform weights. */
  readonly inductionChance?: number;
  /**
   * The fraction of the variance of the scores that is explained by distance: 1 - Var(s - mean of s at the same distance) / Var(s), over
   * the scores s of all visible pairs.
   */
  readonly shareOfDistance: Tensor;
  /**
   * KL(a[i] || a0[i]) in nats, where a0 is computed from the same queries and keys without positions; absent if positions are a table added
   * to the embeddings.
   */
  readonly useOfPosition?: Tensor;
  /**
   * How much each rotary channel pair contributes to the scores: [heads, pairs] for each layer (Barbero et al. 2024, arXiv 2410.06205).
   * Null for a layer without rope.
   */
  readonly pairsUsed?: readonly (Tensor | null)[];
  /**
   * The weight a[i,i-d] at each distance d: [layers, heads, distances]. d ranges from 0 to tokens - 1, or from 1 - tokens for a model that
   * is not causal.
   */
  readonly profile: Tensor;
}
