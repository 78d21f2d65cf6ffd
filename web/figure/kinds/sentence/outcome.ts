// Compares the outputs before and after words are moved, with the figure's encoding and with each encoding that has a
// button.

import { entryAt } from '../../../charts/entry-at.ts';
import type { SelfAttentionRequest, Tensor } from '../../../engine/index.ts';
import { isIdentity, type Order } from '../../../sentence/order.ts';
import { compareOrders, computeOutputTolerance, type OrderComparison } from '../../compute/output-proof.ts';
import { reorderRows } from '../../compute/seeded-order.ts';
import { type EncodingSpec, encodingSpec } from '../../contract/fields.ts';
import type { Engine } from '../../contract/kind.ts';
import { strings } from './strings.ts';

const BUTTON_ENCODINGS: readonly string[] = ['none', 'alibi', 'rope'];

/** [words, channels]: each word's output in the original and in the current order. */
export interface Outputs {
  readonly before: Tensor;
  readonly after: Tensor;
  /** Whether each word has the same output in both orders, within rounding errors. */
  readonly isSame: readonly boolean[];
  readonly isMoved: boolean;
}

/**
 * The effect of a move with one encoding. `isSame` is true if all outputs stay the same, and undefined if no word was
 * moved or the computation failed.
 */
export interface MoveResult {
  readonly encoding: EncodingSpec;
  readonly isSame: boolean | undefined;
}

const invertOrder = (order: Order): Order => order.map((_, word) => order.indexOf(word));

export function compareOutputs(trial: OrderComparison, order: Order): Outputs {
  const { before, after, maxDifferences, isOriginalOrder } = trial;
  if (isOriginalOrder) return { before, after: before, isSame: order.map(() => true), isMoved: false };
  const positions = invertOrder(order);
  const tolerance = computeOutputTolerance(trial);
  const isSame = positions.map((position) => entryAt(maxDifferences.data, position) <= tolerance);
  return { before, after: reorderRows(after, positions), isSame, isMoved: true };
}

/**
 * Computes the effect of the move with each encoding that has a button, and with the figure's encoding, which is last
 * if it has no button.
 */
export function computeMoveResults(
  engine: Engine,
  request: SelfAttentionRequest & { readonly encoding: EncodingSpec },
  order: Order,
  figureTrial: Promise<OrderComparison>,
): Promise<MoveResult[]> {
  const { encoding: currentEncoding } = request;
  const buttonEncodings = BUTTON_ENCODINGS.map((id) => (id === currentEncoding.id ? currentEncoding : encodingSpec(id)));
  const comparedEncodings = buttonEncodings.includes(currentEncoding) ? buttonEncodings : [...buttonEncodings, currentEncoding];
  return Promise.all(
    comparedEncodings.map(async (encoding): Promise<MoveResult> => {
      if (isIdentity(order)) return { encoding, isSame: undefined };
      try {
        const trial = await (encoding === currentEncoding ? figureTrial : compareOrders(engine, { ...request, encoding }, order));
        return { encoding, isSame: trial.maxAbsDiff <= computeOutputTolerance(trial) };
      } catch {
        // An encoding may reject this dimension. Its error is shown when the encoding is selected.
        return { encoding, isSame: undefined };
      }
    }),
  );
}

export function describeMove(order: Order, trial: OrderComparison): string {
  const changedCount = trial.maxDifferences.data.filter((difference) => difference > computeOutputTolerance(trial)).length;
  return isIdentity(order) ? strings.originalOrder : strings.outcome(changedCount, order.length);
}
