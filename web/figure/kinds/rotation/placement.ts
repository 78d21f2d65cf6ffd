import type { Placement, ReferencePlacement } from '../../contract/placement.ts';

export const placement: Placement = {
  question: 'scores',
  sortKey: 1,
  title: 'Rotation',
  needs: 'rotation',
  width: 'head',
  presentedLayout: 'wide',
  isAlone: true,
};

export const reference: ReferencePlacement = {
  injections: ['query_key'],
  sortKey: 4,
  caption: (title) => `A query and a key, rotated by ${title}.`,
};
