import type { Placement, ReferencePlacement } from '../../../../web/figure/contract/placement.ts';

export const placement: Placement = {
  question: 'position',
  sortKey: 2.5,
  title: 'Parity',
  needs: 'table',
  width: 'own',
};

export const reference: ReferencePlacement = {
  injections: ['input'],
  sortKey: 1.5,
  caption: (title) => `Every other row of ${title}.`,
};
