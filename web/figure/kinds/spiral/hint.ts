import type { Hint } from '../../contract/hint.ts';

export const hint: Hint = () =>
  'Show one pair: its hands repeat after a full rotation. All pairs together form a different curve at every position, and neighbouring positions have similar curves.';
