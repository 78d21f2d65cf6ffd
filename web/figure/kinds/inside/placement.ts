import type { Placement } from '../../contract/placement.ts';

export const placement: Placement = {
  question: 'learn',
  place: 3,
  title: 'Trained model',
  isAlone: true,
};
