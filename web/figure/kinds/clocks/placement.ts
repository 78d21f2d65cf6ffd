import type { Placement } from '../../contract/placement.ts';

export const placement: Placement = {
  question: 'position',
  place: 3,
  title: 'Clocks',
  needs: 'waves',
  width: 'own',
};
