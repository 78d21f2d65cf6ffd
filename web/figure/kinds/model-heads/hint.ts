import type { Hint } from '../../contract/hint.ts';

export const hint: Hint = () =>
  'Heads that look at the previous token have a dark diagonal. Colour the squares by the use of position: heads that are dark there look elsewhere without it.';
