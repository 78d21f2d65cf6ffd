import type { HintFunction } from '../../contract/hint.ts';

export const hint: HintFunction = () =>
  'Heads that attend to the previous token have a dark diagonal. Colour the squares by the use of position: dark heads change their attention when positions are removed.';
