import type { Placement } from '../../contract/placement.ts';

export const placement: Placement = {
  question: 'doctor',
  sortKey: 1,
  title: 'Position doctor',
  width: 'own',
  isAlone: true,
};
