import type { Placement } from '../../contract/placement.ts';

export const placement: Placement = {
  question: 'reach',
  place: 6,
  title: 'Precision',
  width: 'own',
};
