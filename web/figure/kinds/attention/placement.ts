import type { Placement, ReferencePlacement } from '../../contract/placement.ts';

export const placement: Placement = {
  question: 'attention',
  sortKey: 1,
  title: 'Weights',
};

export const reference: ReferencePlacement = {
  injections: ['none', 'query_key'],
  sortKey: 5,
  caption: (title) => `Attention with ${title}.`,
};
