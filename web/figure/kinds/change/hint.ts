import { isIdentity } from '../../../sentence/order.ts';
import type { HintFunction } from '../../contract/hint.ts';

export const hint: HintFunction = ({ settings: { order } }) =>
  isIdentity(order) || order.length === 0
    ? 'Drag a word of the sentence: each bar is the change of that word’s output. Without positions, every change is only a rounding error.'
    : 'Each bar is the change of that word’s output under the new order. Changes marked as rounding are only rounding errors.';
