// The proof of permutation equivariance, which compares the outputs for reordered words with those for the original order.
import { extent } from '../../charts/grid.ts';
import { permutationTest } from '../../engine/analysis.ts';
import type { PermutationTestResult, SelfAttentionRequest, Tensor } from '../../engine/index.ts';
import { isIdentity, moveWord, type Order } from '../../sentence/order.ts';
import type { EncodingSpec } from '../contract/fields.ts';
import type { Engine, Proof } from '../contract/kind.ts';

// Strings for the proof of permutation equivariance, shared by all figures with this proof.
export const proofStrings = {
  quantity: 'largest difference in any output, after the word order is restored',
  toleranceSource: 'Float32 rounding in sums over words and channels, relative to the largest output.',
  single: 'One word has only one order.',
  moved: {
    passes: (isOrderIrrelevant: boolean) =>
      `The outputs are only reordered: attention does not depend on ${isOrderIrrelevant ? 'the' : 'this'} order.`,
    fails: 'The outputs are not only reordered: the order of the words matters.',
  },
  /** Conclusions if the figure shows the original order; the proof then moves the first word. */
  tried: {
    passes: (isOrderIrrelevant: boolean) =>
      `If the first word came last, the outputs would only be reordered: attention does not depend on ${isOrderIrrelevant ? 'the' : 'this'} order.`,
    fails: 'If the first word came last, the outputs would not only be reordered: the order of the words matters.',
  },
} as const;

/** Differences below this fraction of the largest output are float32 rounding errors. */
const RELATIVE_TOLERANCE = 1e-5;

/** The outputs of a layer for reordered words and for the original order, and their differences. */
export interface OrderComparison {
  /** Whether the figure shows the original order; the outputs are then compared for another order. */
  readonly isOriginalOrder: boolean;
  /** Whether every order gives the same outputs, because nothing depends on positions. */
  readonly isOrderIrrelevant: boolean;
  readonly wordCount: number;
  readonly maxAbsDiff: number;
  readonly maxAbsOutput: number;
  /** [words], by position. */
  readonly maxDifferences: Tensor;
  /** [words, dim]: the outputs for the original order, and those for the other order, by position. */
  readonly before: Tensor;
  readonly after: Tensor;
}

/**
 * Compares the outputs for `order` with those for the original order. For the original order itself, the first word is moved to the end
 * instead. `reordered` is the core's result for `order`, if it is already computed.
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

/** The largest difference between two outputs that can be a rounding error. */
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
