import type { HintFunction } from '../../contract/hint.ts';

export const hint: HintFunction = () =>
  'Adding needs fewer channels; concatenating keeps words and positions separate. Strongly coloured cells mark pairs of positions with similar vectors.';
