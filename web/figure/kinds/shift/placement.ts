import type { Placement } from '../../contract/placement.ts';

export const placement: Placement = {
  question: 'position',
  sortKey: 7,
  title: 'Shift',
  needs: 'waves',
  width: 'own',
};
