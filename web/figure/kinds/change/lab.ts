import { isIdentity } from '../../../sentence/order.ts';
import type { LabPlace } from '../../contract/lab-place.ts';

export const lab: LabPlace = {
  question: 'attention',
  place: 2,
  title: 'What changes',
  see: ({ setting: { order } }) =>
    isIdentity(order) || order.length === 0
      ? 'Drag a word of the sentence: each bar is how much the output of that word changes. Without positions every bar stays at rounding error.'
      : 'Each bar is how much the output of that word has changed by the new order. At rounding error, attention has not noticed.',
};
