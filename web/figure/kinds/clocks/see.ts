import type { See } from '../../contract/what-to-see.ts';

export const see: See = () =>
  'Each pair of channels is the hand of a clock. Read from fast to slow they count positions, as binary digits do.';
