import type { See } from '../../contract/what-to-see.ts';

export const see: See = () =>
  'One token beyond the trained length a learned table has no row, and T5’s bias goes on. Give the table more rows, and see what they are worth without training.';
