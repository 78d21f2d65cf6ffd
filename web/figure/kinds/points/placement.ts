import type { Placement } from '../../contract/placement.ts';

export const placement: Placement = {
  question: 'reach',
  sortKey: 4,
  title: 'A set of points',
};
