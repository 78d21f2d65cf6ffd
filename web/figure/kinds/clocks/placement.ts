import type { Placement } from '../../contract/placement.ts';

export const placement: Placement = {
  question: 'position',
  sortKey: 3,
  title: 'Sinusoid clocks',
  needs: 'waves',
  width: 'own',
};
