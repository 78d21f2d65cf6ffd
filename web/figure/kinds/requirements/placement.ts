import type { Placement } from '../../contract/placement.ts';

export const placement: Placement = {
  question: 'position',
  place: 8,
  title: 'Requirements',
};
