import type { Placement } from '../../contract/placement.ts';

export const placement: Placement = {
  question: 'doctor',
  place: 1,
  title: 'Position doctor',
  width: 'own',
  isAlone: true,
};
