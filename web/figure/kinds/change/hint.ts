import { isIdentity } from '../../../sentence/order.ts';
import type { Hint } from '../../contract/hint.ts';

export const hint: Hint = ({ setting: { order } }) =>
  isIdentity(order) || order.length === 0
    ? 'Drag a word of the sentence: each bar is how much the output of that word changes. Without positions every bar stays at rounding error.'
    : 'Each bar is how much the output of that word has changed by the new order. At rounding error, attention has not noticed.';
