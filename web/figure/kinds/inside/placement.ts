import type { Placement } from '../../contract/placement.ts';

export const placement: Placement = {
  question: 'learn',
  sortKey: 3,
  title: 'Trained model',
  isAlone: true,
};
