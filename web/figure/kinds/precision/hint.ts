import type { Hint } from '../../contract/hint.ts';

export const hint: Hint = () =>
  'Positions in bfloat16 have eight bits: beyond 256 neighbours become one position, and the score is wrong. Rounded frequencies or cosines cost little, and the same everywhere.';
