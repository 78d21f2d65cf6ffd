import type { HintFunction } from '../../contract/hint.ts';

export const hint: HintFunction = () =>
  'Show one pair: its hands repeat after a full rotation. All pairs together form a different curve at every position, and neighbouring positions have similar curves.';
