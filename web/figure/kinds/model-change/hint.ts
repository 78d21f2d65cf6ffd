import type { Hint } from '../../contract/hint.ts';

export const hint: Hint = () =>
  'Beyond the trained length the model fails because distances are new: it continues to work if larger distances are clipped to known distances. Click a layer to remove the positions of this layer only.';
