import type { Hint } from '../../contract/hint.ts';

export const hint: Hint = () =>
  'Shuffle the patches: without positions attention does not notice. An encoding of rows and columns makes it notice.';
