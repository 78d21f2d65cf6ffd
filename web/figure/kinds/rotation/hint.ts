import type { HintFunction } from '../../contract/hint.ts';

export const hint: HintFunction = () =>
  'Each pair of channels is rotated by its position times its frequency. The dot product depends only on the angle between query and key, which depends only on the distance.';
