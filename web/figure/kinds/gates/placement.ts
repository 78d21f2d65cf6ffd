import type { Placement, ReferencePlacement } from '../../contract/placement.ts';

export const placement: Placement = {
  question: 'attention',
  sortKey: 4,
  title: 'Forget gates',
  // By default all scores are equal, so the words of the page do not matter.
  isAlone: true,
};

export const reference: ReferencePlacement = {
  injections: ['score'],
  ids: ['forgetting'],
  sortKey: 9,
  caption: () => 'Adjustable gates: one near 0 hides the words before it.',
};
