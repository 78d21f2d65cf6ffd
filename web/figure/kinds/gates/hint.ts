import type { HintFunction } from '../../contract/hint.ts';

export const hint: HintFunction = () =>
  'In the Forgetting Transformer, the gate of each word multiplies the weights of all earlier words. A gate of 0 hides them, and equal gates are equivalent to ALiBi.';
