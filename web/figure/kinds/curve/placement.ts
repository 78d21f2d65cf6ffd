import type { Placement, ReferencePlacement } from '../../contract/placement.ts';

export const placement: Placement = {
  question: 'scores',
  sortKey: 3,
  title: 'Curve',
  needs: 'bias',
  width: 'head',
};

export const reference: ReferencePlacement = {
  injections: ['score'],
  sortKey: 7,
  caption: (title) => `The bias of ${title} by distance.`,
};
