import type { Placement } from '../../contract/placement.ts';

export const placement: Placement = {
  question: 'reach',
  sortKey: 2.5,
  title: 'Remapped distances',
  width: 'head',
};
