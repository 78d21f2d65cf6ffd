// The interface of every model family.

import type { EncodingChoice, Tensor } from '../../../web/engine/types.ts';
import type { AnyPhasor } from '../contract-checks.ts';
import type { Checkpoint } from './checkpoint.ts';
import { type Matrix, matrix } from './matrix.ts';

/** The tokens of a sequence, or the next ones of it. */
export interface Text {
  readonly ids: readonly number[];
  /** Number of preceding tokens. */
  readonly first: number;
  /** 1 for a token, 0 for padding. */
  readonly attentionMask: readonly (0 | 1)[];
  /** Token type ids (BERT). */
  readonly types: readonly number[];
}

export interface Heads {
  readonly q: Tensor;
  readonly k: Tensor;
  readonly v: Tensor;
  readonly scale?: number;
}

export interface SelfAttention extends Heads {
  readonly encoding: EncodingChoice;
  readonly causal: boolean;
}

/** The attention of a model's layers: over a whole sequence, or token by token with caches. */
export interface Attention {
  /** [heads, tokens, width], of the layer with this number */
  self(layer: number, request: SelfAttention): Promise<Tensor>;
  /** Cross-attention from the decoder to the encoder, without positions. */
  cross(request: Heads): Promise<Tensor>;
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
  /** The position fields of the reference to compare with, by name; absent when it has none. */
  readonly positions?: (
    model: Checkpoint,
    phasor: AnyPhasor,
    offsets: readonly number[],
  ) => Promise<Readonly<Record<string, ArrayLike<number>>>>;
}

/** Never true of a name. */
export const nothing = /(?!)/;

/** The channels of each head, [heads, tokens, width]; `first` is the column where those of a head begin. */
export function heads(x: Matrix, count: number, width: number, first = (head: number) => head * width): Tensor {
  const data = new Float32Array(count * x.rows * width);
  for (let head = 0; head < count; head += 1) {
    for (let row = 0; row < x.rows; row += 1) {
      const start = row * x.columns + first(head);
      data.set(x.data.subarray(start, start + width), (head * x.rows + row) * width);
    }
  }
  return { shape: [count, x.rows, width], data };
}

/** Concatenates the heads [heads, tokens, width]. */
export function sideBySide({ shape: [count = 0, rows = 0, width = 0], data }: Tensor): Matrix {
  return matrix(rows, count * width, (row, column) => {
    const head = Math.floor(column / width);
    return data[(head * rows + row) * width + (column % width)] as number;
  });
}
