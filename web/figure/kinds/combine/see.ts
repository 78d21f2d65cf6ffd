import type { See } from '../../contract/what-to-see.ts';

export const see: See = () =>
  'Adding saves channels, concatenating keeps words and positions apart. Bright cells are positions whose results are alike.';
