import type { See } from '../../contract/what-to-see.ts';

export const see: See = () =>
  'Each pair of channels is rotated by its position times its frequency. The dot product depends only on the angle between query and key, and so on the distance.';
