import type { Placement } from '../../contract/placement.ts';

export const placement: Placement = {
  question: 'attention',
  sortKey: 2,
  title: 'Output change',
};
