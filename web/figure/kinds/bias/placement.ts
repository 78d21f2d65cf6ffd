import type { Placement, Reference } from '../../contract/placement.ts';

export const placement: Placement = {
  question: 'scores',
  sortKey: 2,
  title: 'Bias',
  needs: 'bias',
  width: 'head',
  presented: 'low',
};

export const reference: Reference = {
  injections: ['score', 'score_content', 'key_value'],
  sortKey: 6,
  caption: (title) => `The bias that ${title} adds to the scores.`,
};
