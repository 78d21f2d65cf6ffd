import type { Placement, Reference } from '../../contract/placement.ts';

export const placement: Placement = {
  question: 'position',
  sortKey: 1,
  title: 'Table',
  needs: 'table',
};

export const reference: Reference = {
  injections: ['input'],
  sortKey: 1,
  caption: (title) => `The position vectors of ${title}.`,
};
