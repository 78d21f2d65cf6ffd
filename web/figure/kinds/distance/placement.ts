import type { Placement } from '../../contract/placement.ts';

export const placement: Placement = {
  question: 'position',
  place: 5,
  title: 'Distance',
  needs: 'table',
};
