import type { Placement } from '../../contract/placement.ts';

export const placement: Placement = {
  question: 'reach',
  sortKey: 3,
  title: 'Image patches',
};
