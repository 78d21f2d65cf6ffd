import type { Reference } from '../../contract/reference.ts';

export const reference: Reference = {
  injections: ['query_key'],
  place: 4,
  caption: (title) => `A query and a key, rotated by ${title}.`,
};
