import type { Placement } from '../../contract/placement.ts';

export const placement: Placement = {
  question: 'scores',
  place: 10,
  title: 'Any matrices',
  presented: 'wide',
  isAlone: true,
};
