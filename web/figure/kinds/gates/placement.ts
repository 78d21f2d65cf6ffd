import type { Placement, ReferencePlacement } from '../../contract/placement.ts';

export const placement: Placement = {
  question: 'attention',
  sortKey: 4,
  title: 'Forget gates',
  // Does not use the page's sentence: by default all scores are equal, so its words have no effect.
  isAlone: true,
};

export const reference: ReferencePlacement = {
  injections: ['score'],
  ids: ['forgetting'],
  sortKey: 9,
  caption: () => 'Adjustable gates: a gate near 0 hides all earlier words.',
};
