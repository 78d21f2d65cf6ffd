import type { Hint } from '../../contract/hint.ts';

export const hint: Hint = () =>
  'One matrix moves every position by k, because it rotates each pair by the same angle everywhere. That is why relative positions can be learned.';
