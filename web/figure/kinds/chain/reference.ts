import type { Reference } from '../../contract/reference.ts';

export const reference: Reference = {
  injections: ['score_content', 'key_value'],
  place: 8,
  caption: (title) => `From a score to a weight with ${title}.`,
};
