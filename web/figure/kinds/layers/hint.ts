import type { HintFunction } from '../../contract/hint.ts';

export const hint: HintFunction = () =>
  'Layers with short bars attend only to the most recent tokens, layers with long bars to the whole text. Layers with pale bars have no encoding: they depend on order only through the causal mask.';
