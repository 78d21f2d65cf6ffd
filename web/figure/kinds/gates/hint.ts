import type { Hint } from '../../contract/hint.ts';

export const hint: Hint = () =>
  'In the Forgetting Transformer, the gate of each word multiplies the weights of all earlier words. A gate of 0 hides them, and equal gates are equivalent to ALiBi.';
