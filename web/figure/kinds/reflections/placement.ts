import type { Placement, ReferencePlacement } from '../../contract/placement.ts';

export const placement: Placement = {
  question: 'scores',
  sortKey: 6,
  title: 'Reflections',
  isAlone: true,
};

export const reference: ReferencePlacement = {
  injections: ['score_content'],
  ids: ['path'],
  sortKey: 10,
  caption: () => 'One key, moved by the words after it.',
};
