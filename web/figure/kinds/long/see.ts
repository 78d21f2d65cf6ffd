import type { See } from '../../contract/what-to-see.ts';

export const see: See = () =>
  'Each pixel is the mean of many weights; zoom in for the exact ones. Look for the diagonal, and for how far it reaches.';
