import type { Placement } from '../../contract/placement.ts';

export const placement: Placement = {
  question: 'reach',
  place: 2,
  title: 'Thousands of tokens',
  width: 'own',
};
