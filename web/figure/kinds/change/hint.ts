import { isIdentity } from '../../../sentence/order.ts';
import type { HintFunction } from '../../contract/hint.ts';

export const hint: HintFunction = ({ settings: { order } }) =>
  isIdentity(order) || order.length === 0
    ? 'Drag a word in the sentence: each bar is the change in one word’s output. Without positions, every change is only a rounding error.'
    : 'Each bar is the change in one word’s output under the new order. Changes marked “rounding” are no larger than float32 rounding errors.';
