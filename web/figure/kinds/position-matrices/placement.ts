import type { Placement } from '../../contract/placement.ts';

export const placement: Placement = {
  question: 'scores',
  sortKey: 10,
  title: 'Any matrices',
  presentedLayout: 'wide',
  isAlone: true,
};
