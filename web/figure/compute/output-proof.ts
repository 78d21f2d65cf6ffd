// Checks whether a layer is permutation equivariant by comparing its outputs for the original and another word order.
import { extent } from '../../charts/grid.ts';
import { permutationTest } from '../../engine/analysis.ts';
import type { PermutationTestResult, SelfAttentionRequest, Tensor } from '../../engine/index.ts';
import { isIdentity, moveWord, type Order } from '../../sentence/order.ts';
import type { EncodingSpec } from '../contract/fields.ts';
import type { Engine, Proof } from '../contract/kind.ts';

export const proofStrings = {
  quantity: 'largest difference in any output, after the word order is restored',
  toleranceSource: 'Float32 rounding in sums over words and channels, relative to the largest output.',
  single: 'One word has only one order.',
  moved: {
    passes: (isOrderIrrelevant: boolean) =>
      `The outputs are only reordered: attention does not depend on ${isOrderIrrelevant ? 'the' : 'this'} order.`,
    fails: 'The outputs are not only reordered: word order matters.',
  },
  /** Conclusions for a figure that shows the original order. In this case, the check moves the first word to the end. */
  tried: {
    passes: (isOrderIrrelevant: boolean) =>
      `If the first word came last, the outputs would only be reordered: attention does not depend on ${isOrderIrrelevant ? 'the' : 'this'} order.`,
    fails: 'If the first word came last, the outputs would not only be reordered: word order matters.',
  },
} as const;

/** Differences up to this fraction of the largest output are attributed to float32 rounding. */
const RELATIVE_TOLERANCE = 1e-5;

export interface OrderComparison {
  /** Whether the figure shows the original order. If so, another order is chosen for the comparison. */
  readonly isOriginalOrder: boolean;
  /** Whether the layer is permutation equivariant by construction: without an encoding or a causal mask, nothing depends on positions. */
  readonly isOrderIrrelevant: boolean;
  readonly wordCount: number;
  readonly maxAbsDiff: number;
  readonly maxAbsOutput: number;
  /** [words], by position. */
  readonly maxDifferences: Tensor;
  /** [words, dim]: the outputs for the original order. */
  readonly before: Tensor;
  /** [words, dim]: the outputs for the compared order, by position. */
  readonly after: Tensor;
}

/**
 * Compares the outputs for `order` with those for the original order. If `order` is the original order, the comparison moves the first word
 * to the end. `reordered` is the result for `order`, if the caller already has it.
 */
export async function compareOrders(
  engine: Engine,
  request: SelfAttentionRequest & { readonly encoding: EncodingSpec },
  order: Order,
  reordered?: Promise<PermutationTestResult>,
): Promise<OrderComparison> {
  const isOriginalOrder = isIdentity(order);
  const result = isOriginalOrder
    ? permutationTest(engine, { ...request, order: moveWord(order, 0, order.length - 1) })
    : (reordered ?? permutationTest(engine, { ...request, order }));
  const { before, output: after, maxAbsDiff, perToken } = await result;
  const { min, max } = extent(before.data);
  const isOrderIrrelevant = request.encoding.id === 'none' && request.mask !== 'causal';
  return {
    isOriginalOrder,
    isOrderIrrelevant,
    wordCount: order.length,
    maxAbsDiff,
    maxAbsOutput: Math.max(-min, max),
    maxDifferences: perToken,
    before,
    after,
  };
}

/** Returns the largest difference between two outputs that is attributed to float32 rounding. */
export const computeOutputTolerance = ({ maxAbsOutput }: Pick<OrderComparison, 'maxAbsOutput'>): number =>
  RELATIVE_TOLERANCE * Math.max(1, maxAbsOutput);

export function createOrderProof(comparison: OrderComparison): Proof {
  const { isOriginalOrder, isOrderIrrelevant, wordCount, maxAbsDiff } = comparison;
  const tolerance = computeOutputTolerance(comparison);
  const { quantity, toleranceSource, single, tried, moved } = proofStrings;
  const { passes, fails } = isOriginalOrder ? tried : moved;
  const conclusion = wordCount === 1 ? single : maxAbsDiff <= tolerance ? passes(isOrderIrrelevant) : fails;
  return { quantity, residual: maxAbsDiff, tolerance, toleranceSource, conclusion };
}
