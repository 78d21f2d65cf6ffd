import type { Placement, ReferencePlacement } from '../../contract/placement.ts';

export const placement: Placement = {
  question: 'attention',
  sortKey: 4,
  title: 'Forget gates',
  // The words of the page have no effect, because all scores are equal by default.
  isAlone: true,
};

export const reference: ReferencePlacement = {
  injections: ['score'],
  ids: ['forgetting'],
  sortKey: 9,
  caption: () => 'Adjustable gates: one near 0 hides the words before it.',
};
