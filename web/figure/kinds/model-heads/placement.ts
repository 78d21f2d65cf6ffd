import type { Placement } from '../../contract/placement.ts';

export const placement: Placement = {
  question: 'model',
  sortKey: 1,
  title: 'Heads of a language model',
  width: 'own',
  presentedLayout: 'low',
  isAlone: true,
};
