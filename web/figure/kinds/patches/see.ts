import type { See } from '../../contract/what-to-see.ts';

export const see: See = () =>
  'Shuffle the patches: without positions attention does not notice. An encoding of rows and columns makes it notice.';
