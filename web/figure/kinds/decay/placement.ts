import type { Placement } from '../../contract/placement.ts';

export const placement: Placement = {
  question: 'reach',
  sortKey: 5,
  title: 'Decay',
  width: 'head',
};
