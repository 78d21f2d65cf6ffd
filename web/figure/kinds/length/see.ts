import type { See } from '../../contract/what-to-see.ts';

export const see: See = () =>
  'All of these learn to copy on 32 tokens. One token more, and a learned table has no row; T5 goes on. Give the table more rows, and see what untrained rows are worth.';
