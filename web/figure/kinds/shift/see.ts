import type { See } from '../../contract/what-to-see.ts';

export const see: See = () =>
  'One matrix moves every position by k, because it rotates each pair by the same angle everywhere. That is why relative positions can be learned.';
