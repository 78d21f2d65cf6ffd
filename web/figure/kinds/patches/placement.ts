import type { Placement } from '../../contract/placement.ts';

export const placement: Placement = {
  question: 'reach',
  place: 3,
  title: 'Image patches',
};
