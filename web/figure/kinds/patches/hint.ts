import type { HintFunction } from '../../contract/hint.ts';

export const hint: HintFunction = () =>
  'Shuffle the patches: without positions, the outputs do not change. With an encoding of rows and columns, they do.';
