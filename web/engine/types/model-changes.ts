// Changes of positions in a model, and measures of its heads: parts of the interface of phasor/model.

import type { TokenIds } from './model-files.ts';
import type { Tensor } from './tensors.ts';

/** The scope of a change. */
interface ChangePlace {
  /** Layers, from 0 on; default: all. A layer without its own positions is skipped, unless it is listed. */
  readonly layers?: readonly number[] | undefined;
  /** Query heads, from 0 on; default: all. */
  readonly heads?: readonly number[] | undefined;
}

/**
 * A change of the positions, the visible keys or the output of heads. Changes are applied in order, each to the result of the previous
 * ones. If positions are a table added to the embeddings (BERT, GPT-2) they precede all layers: `none`, `shift`, `order` and `params` then
 * change the table, without `layers` and `heads`. A change that is undefined for the encoding of a layer is rejected by its name.
 */
export type PositionChange = ChangePlace &
  (
    | {
        /**
         * 'none': no positions; 'layout': half_split pairs of rope become interleaved ones, and the other way round; 'zero_ablation',
         * 'mean_ablation': the output of heads before its projection is 0, or its mean over the tokens; 'skip': attention of whole layers
         * adds nothing.
         */
        readonly kind: 'none' | 'layout' | 'zero_ablation' | 'mean_ablation' | 'skip';
      }
    | {
        /** Adds `shift` to every position. */
        readonly kind: 'shift';
        /** The number that is added to positions. */
        readonly shift: number;
      }
    | {
        /** Token t takes the position of `order[t]`; masks and windows still count tokens. */
        readonly kind: 'order';
        /** A permutation of the positions of the run. */
        readonly order: TokenIds;
      }
    | {
        /** Replaces parameters of the encoding. */
        readonly kind: 'params';
        /** Parameters by name: base, scaling, factor. Types of scaling that read original_length need it here or in the layer. */
        readonly params: { readonly [name: string]: number | string | boolean | TokenIds };
      }
    | {
        /** Distances of rope above `clip` are `clip` (ReRoPE). */
        readonly kind: 'clip';
        /** At least 1. */
        readonly clip: number;
      }
    | {
        /** The pairs of channels [pairsBegin, pairsEnd) of rope do not rotate ('still'), or add nothing to a score ('drop'). */
        readonly kind: 'still' | 'drop';
        /** The first pair. */
        readonly pairsBegin: number;
        /** The pair after the last one. */
        readonly pairsEnd: number;
      }
    | {
        /** Replaces the window of layers; without `window` every key that the mask shows is visible. */
        readonly kind: 'window';
        /** Keys at this distance or more are masked. */
        readonly window?: number | undefined;
      }
  );

/**
 * Measures of each head on one text: [layers, heads] unless stated otherwise; a is its weights after the changes of the run. For causal
 * models means are over rows i >= 1, because row 0 attends to itself only; otherwise over all rows that have such an entry. Measures that
 * are undefined for the model or the text are absent.
 */
export interface HeadMeasures {
  /** -sum_j a[i,j] ln a[i,j] */
  readonly entropy: Tensor;
  /** entropy / ln(i + 1), of a model that is not causal / ln(tokens) */
  readonly entropyNormalised: Tensor;
  /** sum_j a[i,j] |i - j| */
  readonly distance: Tensor;
  /** The weight of the first token, a[i,0], over the other rows. */
  readonly first: Tensor;
  /** The weight of the last token, a[i,tokens-1], over the other rows, of models that are not causal. */
  readonly last?: Tensor;
  /** The weight of the token itself, a[i,i]. */
  readonly self: Tensor;
  /** The weight of the previous token, a[i,i-1]. */
  readonly previous: Tensor;
  /** The weight of the next token, a[i,i+1], of models that are not causal. */
  readonly next?: Tensor;
  /** Over the rows of tokens that occur more than once: the weight of the other occurrences, in a causal model of the earlier ones. */
  readonly duplicate?: Tensor;
  /** The value of `duplicate` for uniform weights. */
  readonly duplicateChance?: number;
  /**
   * Over the rows of tokens that occurred before: the weight of the tokens after those occurrences (Olsson et al. 2022, arXiv 2209.11895).
   */
  readonly induction?: Tensor;
  /** The value of `induction` for uniform weights. */
  readonly inductionChance?: number;
  /**
   * 1 - Var(s - mean of s at its distance) / Var(s) of the scores s of all visible pairs: the fraction of their variance explained by
   * distance.
   */
  readonly shareOfDistance: Tensor;
  /** KL(a[i] || a0[i]) in nats, a0 from the same queries and keys without positions; absent if positions are a table added to the embeddings. */
  readonly useOfPosition?: Tensor;
  /**
   * Per layer, [heads, pairs]: the contribution of each rotary pair of channels to the scores (Barbero et al. 2024, arXiv 2410.06205); null
   * without rope.
   */
  readonly pairsUsed?: readonly (Tensor | null)[];
  /** [layers, heads, distances]: a[i,i-d] for d = 0 to tokens - 1; for a model that is not causal for d = 1 - tokens to tokens - 1. */
  readonly profile: Tensor;
}
