import type { Placement } from '../../contract/placement.ts';

export const placement: Placement = {
  question: 'learn',
  sortKey: 4,
  title: 'Coordinate network',
  isAlone: true,
};
