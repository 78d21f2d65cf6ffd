import type { Placement } from '../../contract/placement.ts';

export const placement: Placement = {
  question: 'learn',
  sortKey: 5,
  title: 'Position probe',
  isAlone: true,
};
