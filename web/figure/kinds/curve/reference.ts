import type { Reference } from '../../contract/reference.ts';

export const reference: Reference = {
  injections: ['score'],
  place: 7,
  caption: (title) => `The bias of ${title} over the distance.`,
};
