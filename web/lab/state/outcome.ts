// The effect that moving words has on the outputs. The page describes it below the sentence.
import type { EncodingInfo } from '../../engine/index.ts';
import { createOrderProof } from '../../figure/compute/output-proof.ts';
import { passes } from '../../figure/contract/kind.ts';
import type { Numbers, Spec } from '../../figure/kinds/sentence/compute.ts';
import type { Order } from '../../sentence/order.ts';

export interface Outcome {
  readonly encoding: EncodingInfo;
  readonly mask: 'none' | 'causal';
  readonly isTrained: boolean;
  /** The words in their original order. All other fields represent a word by its index in this list. */
  readonly words: readonly string[];
  readonly hasVector: readonly boolean[];
  /** The index of the word at each position. */
  readonly order: Order;
  readonly isMoved: boolean;
  /** Whether outputs differ by more than rounding errors. */
  readonly isChanged: boolean;
  /** Maximum absolute difference of the outputs, after the permutation is undone. */
  readonly maxAbsDiff: number;
  readonly maxAbsOutput: number;
  /** The maximum absolute difference of the output at each position. */
  readonly differences: Float32Array;
}

export function toOutcome({ mask, projections }: Spec, { words, isKnown, order, trial }: Numbers, encoding: EncodingInfo): Outcome {
  // If no word was moved, the trial compares with a different order, and its differences are not shown.
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
