import type { Hint } from '../../contract/hint.ts';

export const hint: Hint = () =>
  'Beyond its training the model fails although only distances are new: where larger distances count as known ones, it reads on. Click a layer to remove positions there alone.';
