import type { Placement, ReferencePlacement } from '../../contract/placement.ts';

export const placement: Placement = {
  question: 'scores',
  sortKey: 2,
  title: 'Bias',
  needs: 'bias',
  width: 'head',
  presentedLayout: 'low',
};

export const reference: ReferencePlacement = {
  injections: ['score', 'score_content', 'key_value'],
  sortKey: 6,
  caption: (title) => `The bias that ${title} adds to the scores.`,
};
