import type { Placement } from '../../contract/placement.ts';

export const placement: Placement = {
  question: 'position',
  place: 6,
  title: 'Path',
  needs: 'table',
};
