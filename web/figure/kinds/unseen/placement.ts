import type { Placement } from '../../contract/placement.ts';

export const placement: Placement = {
  question: 'reach',
  place: 2.7,
  title: 'Out-of-range rotations',
  width: 'own',
};
