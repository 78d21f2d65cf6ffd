import { isIdentity } from '../../../sentence/order.ts';
import type { See } from '../../contract/what-to-see.ts';

export const see: See = ({ setting: { order } }) =>
  isIdentity(order) || order.length === 0
    ? 'Drag a word of the sentence: each bar is how much the output of that word changes. Without positions every bar stays at rounding error.'
    : 'Each bar is how much the output of that word has changed by the new order. At rounding error, attention has not noticed.';
