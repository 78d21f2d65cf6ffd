import type { See } from '../../contract/what-to-see.ts';

export const see: See = () =>
  'Bright cells are positions whose vectors are alike. If only the distance matters, every diagonal has one colour.';
