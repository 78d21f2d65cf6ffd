import type { Placement } from '../../contract/placement.ts';

export const placement: Placement = {
  question: 'model',
  sortKey: 2,
  title: 'One head',
  width: 'own',
  presentedLayout: 'low',
  isAlone: true,
};
