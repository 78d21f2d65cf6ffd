import type { Placement, ReferencePlacement } from '../../contract/placement.ts';

export const placement: Placement = {
  question: 'scores',
  sortKey: 4,
  title: 'From score to weight',
};

export const reference: ReferencePlacement = {
  injections: ['score_content', 'key_value'],
  sortKey: 8,
  caption: (title) => `From a score to a weight with ${title}.`,
};
