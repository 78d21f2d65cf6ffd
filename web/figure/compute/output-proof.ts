// The proof of permutation equivariance: outputs of moved words are the outputs of the words as written, or they are not.
import { extent } from '../../charts/grid.ts';
import type { LayerRequest, Tensor } from '../../engine/index.ts';
import { isIdentity, moved, type Order } from '../../sentence/order.ts';
import type { EncodingSpec } from '../contract/fields.ts';
import type { Engine, Proof } from '../contract/kind.ts';

// What the proof of permutation equivariance says, in every figure that has it.
export const proofWords = {
  what: 'largest difference in any output, after the words are put back',
  source: 'Rounding of float32 in sums over words and channels, relative to the largest output.',
  single: 'One word has only one order.',
  moved: {
    holds: (isAny: boolean) =>
      `The outputs are the same, only in the new order: attention does not notice ${isAny ? 'the' : 'this'} order.`,
    amber: 'The outputs are not the same: the order of the words counts.',
  },
  /** No word has moved: one was moved for the proof. */
  tried: {
    holds: (isAny: boolean) =>
      `If the first word came last, the outputs would be the same, only in the new order: attention does not notice ${isAny ? 'the' : 'this'} order.`,
    amber: 'If the first word came last, the outputs would not be the same: the order of the words counts.',
  },
} as const;

/** Differences below this share of the largest output are rounding errors of float32. */
const ROUNDING = 1e-5;

/** Outputs for an order that is not the written one, compared with those as written. */
export interface Trial {
  /** Whether the figure itself has the words as written, and another order was tried for the proof. */
  readonly own: boolean;
  /** Whether every order would give the same: there is nothing that depends on places. */
  readonly isAny: boolean;
  readonly words: number;
  readonly maxAbsDiff: number;
  readonly maxAbsOutput: number;
  /** [words], by place. */
  readonly differences: Tensor;
  /** [words, width]: of the words as written, and by place of the order that was tried. */
  readonly before: Tensor;
  readonly after: Tensor;
}

/**
 * Compares outputs for `order`, or, where that is the written one and would prove nothing, with the first word moved to the end.
 * `reordered`: what the core said about `order`, where it was asked already.
 */
export async function changeTrial(
  engine: Engine,
  request: LayerRequest & { readonly encoding: EncodingSpec },
  order: Order,
  reordered?: ReturnType<Engine['reorder']>,
): Promise<Trial> {
  const own = isIdentity(order);
  const tried = own
    ? engine.reorder({ ...request, order: moved(order, 0, order.length - 1) })
    : (reordered ?? engine.reorder({ ...request, order }));
  const { before, output: after, maxAbsDiff, perToken } = await tried;
  const { min, max } = extent(before.data);
  const isAny = request.encoding.id === 'none' && request.mask !== 'causal';
  return { own, isAny, words: order.length, maxAbsDiff, maxAbsOutput: Math.max(-min, max), differences: perToken, before, after };
}

/** The largest difference of two outputs that is rounding. */
export const changeTolerance = ({ maxAbsOutput }: Pick<Trial, 'maxAbsOutput'>): number => ROUNDING * Math.max(1, maxAbsOutput);

export function changeProof(trial: Trial): Proof {
  const { own, isAny, words: count, maxAbsDiff } = trial;
  const tolerance = changeTolerance(trial);
  const { what, source, single, tried, moved } = proofWords;
  const { holds, amber } = own ? tried : moved;
  const meaning = count === 1 ? single : maxAbsDiff <= tolerance ? holds(isAny) : amber;
  return { what, residual: maxAbsDiff, tolerance, source, meaning };
}
