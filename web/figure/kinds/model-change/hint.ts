import type { Hint } from '../../contract/hint.ts';

export const hint: Hint = () =>
  'Beyond its training the model fails although only distances are new: where larger distances are replaced by known ones, it continues to work. Click a layer to remove only its positions.';
