import type { Hint } from '../../contract/hint.ts';

export const hint: Hint = () =>
  'Shuffle the patches: without positions the outputs do not change. With an encoding of rows and columns they do.';
