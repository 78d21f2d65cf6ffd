import type { Placement } from '../../contract/placement.ts';

export const placement: Placement = {
  question: 'reach',
  place: 5,
  title: 'Decay',
  width: 'head',
};
