import type { Placement, ReferencePlacement } from '../../contract/placement.ts';

export const placement: Placement = {
  question: 'position',
  sortKey: 1,
  title: 'Table',
  needs: 'table',
};

export const reference: ReferencePlacement = {
  injections: ['input'],
  sortKey: 1,
  caption: (title) => `The position vectors of ${title}.`,
};
