import type { Placement, Reference } from '../../contract/placement.ts';

export const placement: Placement = {
  question: 'attention',
  sortKey: 1,
  title: 'Weights',
};

export const reference: Reference = {
  injections: ['none', 'query_key'],
  sortKey: 5,
  caption: (title) => `Attention with ${title}.`,
};
