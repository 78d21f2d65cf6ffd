import type { Placement } from '../../contract/placement.ts';

export const placement: Placement = {
  question: 'compare',
  place: 1,
  title: 'Two encodings',
  presented: 'wide',
};
