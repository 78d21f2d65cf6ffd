import type { HintFunction } from '../../contract/hint.ts';

export const hint: HintFunction = () =>
  'Positions in bfloat16 have eight significant bits: beyond 256, neighbouring positions become equal and the score is wrong. Rounding frequencies or cosines has a small effect that is the same at every position.';
