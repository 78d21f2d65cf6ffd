import type { Placement } from '../../contract/placement.ts';

export const placement: Placement = {
  question: 'reach',
  place: 1,
  title: 'Longer context',
  width: 'own',
  presented: 'wide',
};
