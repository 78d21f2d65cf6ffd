import type { Placement } from '../../contract/placement.ts';

export const placement: Placement = {
  question: 'learn',
  place: 5,
  title: 'Position probe',
  isAlone: true,
};
