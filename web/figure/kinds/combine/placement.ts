import type { Placement } from '../../contract/placement.ts';

export const placement: Placement = {
  question: 'compare',
  sortKey: 2,
  title: 'Add or concatenate',
  needs: 'table',
  width: 'own',
  presentedLayout: 'low',
};
