import type { HintFunction } from '../../contract/hint.ts';

export const hint: HintFunction = () =>
  'Beyond the trained length the model fails on new distances; clipping them to trained distances prevents this. Click a layer to remove the positions of that layer only.';
