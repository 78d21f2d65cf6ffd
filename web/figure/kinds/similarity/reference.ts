import type { Reference } from '../../contract/reference.ts';

export const reference: Reference = {
  injections: ['input'],
  place: 3,
  caption: (title) => `How alike the vectors of two positions are under ${title}.`,
};
