import type { Placement } from '../../contract/placement.ts';

export const placement: Placement = {
  question: 'model',
  sortKey: 3,
  title: 'Changed positions',
  width: 'own',
  presentedLayout: 'low',
  isAlone: true,
};
