import type { Placement } from '../../contract/placement.ts';

export const placement: Placement = {
  question: 'reach',
  sortKey: 2.7,
  title: 'Out-of-range rotations',
  width: 'own',
};
