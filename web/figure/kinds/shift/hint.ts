import type { HintFunction } from '../../contract/hint.ts';

export const hint: HintFunction = () =>
  'One matrix moves every position by k, because it rotates each pair by the same angle at every position. Relative positions can therefore be learned.';
