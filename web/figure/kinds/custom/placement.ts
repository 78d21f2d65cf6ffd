import type { Placement } from '../../contract/placement.ts';

export const placement: Placement = {
  question: 'attention',
  sortKey: 5,
  title: 'Your own arrays',
  isAlone: true,
};
