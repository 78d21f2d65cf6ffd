import type { See } from '../../contract/what-to-see.ts';

export const see: See = () =>
  'The Forgetting Transformer lets each word decide how much of the text before it is kept. A gate of 0 begins a new text, and one gate for all words is ALiBi.';
