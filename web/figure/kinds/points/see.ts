import type { See } from '../../contract/what-to-see.ts';

export const see: See = () =>
  'A set has no order, so nothing should depend on it. With an encoding for sequences the same points get different outputs in another order.';
