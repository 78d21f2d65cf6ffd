import type { Placement, ReferencePlacement } from '../../contract/placement.ts';

export const placement: Placement = {
  question: 'position',
  sortKey: 2,
  title: 'Waves',
  needs: 'table',
};

export const reference: ReferencePlacement = {
  injections: ['input'],
  sortKey: 2,
  caption: (title) => `Channels of ${title} as curves over positions.`,
};
