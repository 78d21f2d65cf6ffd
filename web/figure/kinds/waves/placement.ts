import type { Placement, Reference } from '../../contract/placement.ts';

export const placement: Placement = {
  question: 'position',
  sortKey: 2,
  title: 'Waves',
  needs: 'table',
};

export const reference: Reference = {
  injections: ['input'],
  sortKey: 2,
  caption: (title) => `Channels of ${title} as curves over positions.`,
};
