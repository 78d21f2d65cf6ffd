import type { Placement } from '../../contract/placement.ts';

export const placement: Placement = {
  question: 'learn',
  place: 4,
  title: 'Coordinate network',
  isAlone: true,
};
