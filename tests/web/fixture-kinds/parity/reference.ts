import type { Reference } from '../../../../web/figure/contract/reference.ts';

export const reference: Reference = {
  injections: ['input'],
  place: 1.5,
  caption: (title) => `Every other row of ${title}.`,
};
