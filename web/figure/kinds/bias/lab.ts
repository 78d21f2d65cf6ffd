import type { LabPlace } from '../../contract/lab-place.ts';

export const lab: LabPlace = {
  question: 'scores',
  place: 2,
  title: 'Bias',
  needs: 'bias',
  width: 'head',
  presented: 'low',
  see: ({ noun }) => `Each cell is what is added to one score before the softmax: ${noun}. Cells of one colour get the same.`,
};
