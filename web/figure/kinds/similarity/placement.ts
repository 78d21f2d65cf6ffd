import type { Placement, Reference } from '../../contract/placement.ts';

export const placement: Placement = {
  question: 'position',
  sortKey: 4,
  title: 'Similarity',
  needs: 'table',
};

export const reference: Reference = {
  injections: ['input'],
  sortKey: 3,
  caption: (title) => `Similarity of the vectors of two positions with ${title}.`,
};
