// Changes of positions in a model, and measures of its heads: parts of the interface of phasor/model.

import type { TokenIds } from './model-files.ts';
import type { Tensor } from './tensors.ts';

/** Where a change applies. */
interface ChangePlace {
  /** Layers, from 0 on; default: all. A layer without positions of its own is passed over, unless it is named. */
  readonly layers?: readonly number[] | undefined;
  /** Query heads, from 0 on; default: all. */
  readonly heads?: readonly number[] | undefined;
}

/**
 * A change of what heads know of positions, of what they see, or of what they add. Changes apply in their order, each to the result of those before it. Positions that are a
 * table added to the embeddings (BERT, GPT-2) precede all layers: `none`, `shift`, `order` and `params` change the table, without `layers` and `heads`. A change without a meaning
 * for the encoding of a layer is rejected by its name.
 */
export type PositionChange = ChangePlace &
  (
    | {
        /**
         * 'none': no positions; 'layout': half_split pairs of rope become interleaved ones, and the other way round; 'zero_ablation', 'mean_ablation': the output of heads before its
         * projection is 0, or its mean over the tokens; 'skip': attention of whole layers adds nothing.
         */
        readonly kind: 'none' | 'layout' | 'zero_ablation' | 'mean_ablation' | 'skip';
      }
    | {
        /** Every position is larger by `shift`. */
        readonly kind: 'shift';
        /** Added to positions. */
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
        /** By their names: base, scaling, factor. Types of scaling that read original_length need it here or in the layer. */
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
        /** Replaces the window of layers; without `window` everything that the mask shows is visible. */
        readonly kind: 'window';
        /** Keys at a distance of so much or more are masked. */
        readonly window?: number | undefined;
      }
  );

/**
 * What each head does with one text: [layers, heads] unless said otherwise; a is its weights after the changes of the run. In a causal model means are over rows i >= 1, because
 * row 0 sees itself alone; otherwise over all rows that have such an entry. Measures that the model or the text does not have are absent.
 */
export interface HeadMeasures {
  /** -sum_j a[i,j] ln a[i,j] */
  readonly entropy: Tensor;
  /** entropy / ln(i + 1), of a model that is not causal / ln(tokens) */
  readonly entropyNormalised: Tensor;
  /** sum_j a[i,j] |i - j| */
  readonly distance: Tensor;
  /** The weight of the first token, a[i,0]. */
  readonly first: Tensor;
  /** The weight of the last token, a[i,tokens-1], of models that are not causal. */
  readonly last?: Tensor;
  /** The weight of the token itself, a[i,i]. */
  readonly self: Tensor;
  /** The weight of the previous token, a[i,i-1]. */
  readonly previous: Tensor;
  /** The weight of the next token, a[i,i+1], of models that are not causal. */
  readonly next?: Tensor;
  /** Over the rows of tokens that are there twice: the weight of the same token elsewhere, of a causal model before it. */
  readonly duplicate?: Tensor;
  /** The same of equal weights. */
  readonly duplicateChance?: number;
  /** Over the rows of tokens that came before: the weight of those after them (Olsson et al. 2022, arXiv 2209.11895). */
  readonly induction?: Tensor;
  /** The same of equal weights. */
  readonly inductionChance?: number;
  /** 1 - Var(s - mean of s at its distance) / Var(s) of the scores s of all visible pairs: how much of them distance explains. */
  readonly shareOfDistance: Tensor;
  /** KL(a[i] || a0[i]) in nats, a0 from the same queries and keys without positions; absent if positions are a table added to the embeddings. */
  readonly useOfPosition?: Tensor;
  /** Of each layer, [heads, pairs]: how much each pair of channels that rope rotates adds to the scores (Barbero et al. 2024, arXiv 2410.06205); null without rope. */
  readonly pairsUsed?: readonly (Tensor | null)[];
  /** [layers, heads, distances]: a[i,i-d] for d = 0 to tokens - 1; of a model that is not causal for d = 1 - tokens to tokens - 1. */
  readonly profile: Tensor;
}
