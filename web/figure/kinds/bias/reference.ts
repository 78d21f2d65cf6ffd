import type { Reference } from '../../contract/reference.ts';

export const reference: Reference = {
  injections: ['score', 'score_content', 'key_value'],
  place: 6,
  caption: (title) => `What ${title} adds to the scores.`,
};
