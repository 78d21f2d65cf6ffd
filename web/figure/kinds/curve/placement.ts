import type { Placement, Reference } from '../../contract/placement.ts';

export const placement: Placement = {
  question: 'scores',
  place: 3,
  title: 'Curve',
  needs: 'bias',
  width: 'head',
};

export const reference: Reference = {
  injections: ['score'],
  place: 7,
  caption: (title) => `The bias of ${title} over the distance.`,
};
