import type { Placement } from '../../contract/placement.ts';

export const placement: Placement = {
  question: 'learn',
  place: 5,
  title: 'Where position hides',
  isAlone: true,
};
