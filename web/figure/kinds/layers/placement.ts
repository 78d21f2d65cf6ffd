import type { Placement } from '../../contract/placement.ts';

export const placement: Placement = {
  question: 'reach',
  sortKey: 1.5,
  title: 'Layer by layer',
  width: 'own',
};
