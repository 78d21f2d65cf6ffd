import type { Placement } from '../../contract/placement.ts';

export const placement: Placement = {
  question: 'compare',
  sortKey: 1,
  title: 'Two encodings',
  presentedLayout: 'wide',
};
