import type { Placement } from '../../contract/placement.ts';

export const placement: Placement = {
  question: 'position',
  sortKey: 6,
  title: 'Principal components',
  needs: 'table',
};
