import type { HintFunction } from '../../contract/hint.ts';

export const hint: HintFunction = () =>
  'A short bar is a layer that attends only to the last tokens, a long bar one that attends to the whole text. A pale bar is a layer without an encoding: it depends on order only through the causal mask.';
