import type { Placement } from '../../contract/placement.ts';

export const placement: Placement = {
  question: 'scores',
  place: 1.5,
  title: 'Spiral of all pairs',
  width: 'head',
  isAlone: true,
};
