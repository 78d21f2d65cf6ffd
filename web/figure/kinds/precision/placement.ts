import type { Placement } from '../../contract/placement.ts';

export const placement: Placement = {
  question: 'reach',
  sortKey: 6,
  title: 'Precision',
  width: 'own',
};
