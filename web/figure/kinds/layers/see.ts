import type { See } from '../../contract/what-to-see.ts';

export const see: See = () =>
  'Short bars are layers that see only the last tokens, long ones reach the whole text. Hollow bars have no encoding: they see how far the causal mask lets them, not where.';
