import type { Placement } from '../../contract/placement.ts';

export const placement: Placement = {
  question: 'attention',
  place: 2,
  title: 'Output change',
};
