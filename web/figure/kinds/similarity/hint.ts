import type { HintFunction } from '../../contract/hint.ts';

export const hint: HintFunction = () =>
  'Cells that differ most from the background colour mark pairs of positions with similar vectors. If only the distance matters, each diagonal is a single colour.';
