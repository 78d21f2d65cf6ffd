import type { Placement, ReferencePlacement } from '../../contract/placement.ts';

export const placement: Placement = {
  question: 'position',
  sortKey: 4,
  title: 'Similarity',
  needs: 'table',
};

export const reference: ReferencePlacement = {
  injections: ['input'],
  sortKey: 3,
  caption: (title) => `Similarity between the vectors of two positions with ${title}.`,
};
