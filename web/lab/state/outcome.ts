// The effect of moving words on the outputs, which the page describes below the sentence.
import type { EncodingInfo } from '../../engine/index.ts';
import { createOrderProof } from '../../figure/compute/output-proof.ts';
import { passes } from '../../figure/contract/kind.ts';
import type { Results, Spec } from '../../figure/kinds/sentence/compute.ts';
import type { Order } from '../../sentence/order.ts';

export interface Outcome {
  readonly encoding: EncodingInfo;
  readonly mask: 'none' | 'causal';
  readonly isTrained: boolean;
  /** The words in their original order. `order` and `hasVector` use the indices of this list. */
  readonly words: readonly string[];
  readonly hasVector: readonly boolean[];
  /** The index of the word at each position. */
  readonly order: Order;
  readonly isMoved: boolean;
  /** Whether any output differs by more than the rounding error. */
  readonly isChanged: boolean;
  /** Maximum absolute difference of the outputs, after the permutation is undone. */
  readonly maxAbsDiff: number;
  readonly maxAbsOutput: number;
  /** The maximum absolute difference of the output at each position. */
  readonly differences: Float32Array;
}

export function toOutcome({ mask, projections }: Spec, { words, isKnown, order, trial }: Results, encoding: EncodingInfo): Outcome {
  // If no word was moved, the trial uses another order as an example, and its differences are not reported.
  const isMoved = !trial.isOriginalOrder;
  return {
    encoding,
    mask,
    isTrained: projections === 'trained',
    words,
    hasVector: isKnown,
    order,
    isMoved,
    isChanged: isMoved && !passes(createOrderProof(trial)),
    maxAbsDiff: isMoved ? trial.maxAbsDiff : 0,
    maxAbsOutput: trial.maxAbsOutput,
    differences: trial.maxDifferences.data,
  };
}
