import type { Reference } from '../../contract/reference.ts';

export const reference: Reference = {
  injections: ['score_content'],
  ids: ['path'],
  place: 10,
  caption: () => 'One key, as the words after it move it.',
};
