import type { Placement } from '../../contract/placement.ts';

export const placement: Placement = {
  question: 'reach',
  sortKey: 1,
  title: 'Longer context',
  width: 'own',
  presentedLayout: 'wide',
};
