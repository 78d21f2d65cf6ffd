import type { Placement } from '../../contract/placement.ts';

export const placement: Placement = {
  question: 'scores',
  sortKey: 11,
  title: 'Tones',
  width: 'head',
  isAlone: true,
};
