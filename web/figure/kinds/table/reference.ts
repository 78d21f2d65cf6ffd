import type { Reference } from '../../contract/reference.ts';

export const reference: Reference = {
  injections: ['input'],
  place: 1,
  caption: (title) => `What ${title} gives each position.`,
};
