import type { Placement } from '../../contract/placement.ts';

export const placement: Placement = {
  question: 'reach',
  sortKey: 2,
  title: 'Long-context map',
  width: 'own',
};
