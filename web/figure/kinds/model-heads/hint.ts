import type { HintFunction } from '../../contract/hint.ts';

export const hint: HintFunction = () =>
  'Heads that attend to the previous token have a dark diagonal. Colour the squares by use of position: the attention of dark heads changes when positions are removed.';
