import type { Reference } from '../../contract/reference.ts';

export const reference: Reference = {
  injections: ['input'],
  place: 2,
  caption: (title) => `Channels of ${title} as curves over positions.`,
};
