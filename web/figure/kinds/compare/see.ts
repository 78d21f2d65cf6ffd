import type { See } from '../../contract/what-to-see.ts';

export const see: See = () =>
  'A, B and their difference have the same axes and the same colours. A difference of zero everywhere means that the two agree.';
