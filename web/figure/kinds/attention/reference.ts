import type { Reference } from '../../contract/reference.ts';

export const reference: Reference = {
  injections: ['none', 'query_key'],
  place: 5,
  caption: (title) => `Attention with ${title}.`,
};
