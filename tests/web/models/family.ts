import { splitHeads } from '../../../web/engine/request/split-heads.ts';
import type { EncodingSpec, TensorData, TensorView } from '../../../web/engine/types/api.ts';
import type { AnyPhasor } from '../contract-checks.ts';
import type { Checkpoint } from './checkpoint.ts';
import type { Matrix } from './matrix.ts';

/** The tokens of a sequence, or its next ones. */
export interface Text {
  readonly ids: readonly number[];
  /** Number of preceding tokens. */
  readonly first: number;
  /** 1 for a token, 0 for padding. */
  readonly attentionMask: readonly (0 | 1)[];
  /** Token type ids (BERT). */
  readonly types: readonly number[];
}

/** Views of projections, [heads, tokens, headDim]. */
export interface Heads {
  readonly q: TensorView;
  readonly k: TensorView;
  readonly v: TensorView;
  readonly scale?: number;
}

export interface SelfAttention extends Heads {
  readonly encoding: EncodingSpec;
  readonly causal: boolean;
}

/** The attention of a model's layers: over a whole sequence, or token by token with caches. */
export interface Attention {
  /** Self-attention of a layer: [tokens, heads * headDim]. */
  self(layer: number, request: SelfAttention): Promise<Matrix>;
  /** Cross-attention from the decoder to the encoder, without positions. */
  cross(request: Heads): Promise<Matrix>;
}

export interface Answer {
  /** Logits, or the last hidden states of a model without a head. */
  readonly output: Matrix;
  /** Hidden states: the input of the first block, then the output of each block, the last one after the final norm. */
  readonly states: readonly Matrix[];
}

export interface Family {
  readonly prefix: string;
  /** Names of weights the model does not need: buffers of old versions, other heads. */
  readonly aside: RegExp;
  /** Whether it predicts the next token, so that it can be decoded. */
  readonly causal: boolean;
  run(model: Checkpoint, text: Text, attention: Attention, phasor: AnyPhasor): Promise<Answer>;
  /** The position fields of the reference to compare, by name; absent if it has none. */
  readonly positions?: (
    model: Checkpoint,
    phasor: AnyPhasor,
    offsets: readonly number[],
  ) => Promise<Readonly<Record<string, ArrayLike<number>>>>;
}

/** A pattern that matches no name. */
export const nothing = /(?!)/;

/** A matrix of tokens as a view by heads. */
export const tokenMajor = ({ rows, columns, data }: Matrix): TensorData => ({ shape: [rows, columns], data });

/** The channels of each head: [heads, tokens, headDim], without a copy. */
export const heads = (x: Matrix, count: number): TensorView => splitHeads(tokenMajor(x), count);
