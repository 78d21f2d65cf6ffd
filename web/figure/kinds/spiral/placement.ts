import type { Placement } from '../../contract/placement.ts';

export const placement: Placement = {
  question: 'scores',
  sortKey: 9,
  title: 'Spiral of all pairs',
  width: 'head',
  isAlone: true,
};
