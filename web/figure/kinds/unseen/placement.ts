import type { Placement } from '../../contract/placement.ts';

export const placement: Placement = {
  question: 'reach',
  place: 2.7,
  title: 'Beyond training',
  width: 'own',
};
