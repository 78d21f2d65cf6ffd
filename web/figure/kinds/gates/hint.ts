import type { Hint } from '../../contract/hint.ts';

export const hint: Hint = () =>
  'The Forgetting Transformer lets each word decide how much of the text before it is kept. A gate of 0 begins a new text, and one gate for all words is ALiBi.';
