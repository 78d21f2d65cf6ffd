import type { See } from '../../contract/what-to-see.ts';

export const see: See = () =>
  'Follow one key from top to bottom: its score, what is added, the mask, and its weight. The weights of all keys sum to 1.';
