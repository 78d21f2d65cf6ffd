import type { Placement } from '../../contract/placement.ts';

export const placement: Placement = {
  question: 'position',
  sortKey: 8,
  title: 'Requirements',
};
