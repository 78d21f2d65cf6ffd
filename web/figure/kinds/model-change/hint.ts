import type { Hint } from '../../contract/hint.ts';

export const hint: Hint = () =>
  'Beyond the trained length the model fails on distances that are new to it. It keeps working if they are clipped to trained distances. Click a layer to remove the positions of this layer only.';
