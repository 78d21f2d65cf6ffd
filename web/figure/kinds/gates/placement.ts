import type { Placement, Reference } from '../../contract/placement.ts';

export const placement: Placement = {
  question: 'attention',
  place: 4,
  title: 'Forget gates',
  // Its scores are all equal, unless the reader wants those of the words.
  isAlone: true,
};

export const reference: Reference = {
  injections: ['score'],
  ids: ['forgetting'],
  place: 9,
  caption: () => 'Gates that you set yourself: one near 0 cuts off what was said before it.',
};
