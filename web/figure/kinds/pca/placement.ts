import type { Placement } from '../../contract/placement.ts';

export const placement: Placement = {
  question: 'position',
  place: 6,
  title: 'Principal components',
  needs: 'table',
};
