import type { Reference } from '../../contract/reference.ts';

export const reference: Reference = {
  injections: ['score'],
  ids: ['forgetting'],
  place: 9,
  caption: () => 'Gates that you set yourself: one near 0 cuts off what was said before it.',
};
