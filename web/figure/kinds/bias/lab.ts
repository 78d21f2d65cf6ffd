import type { LabPlace } from '../../contract/lab-place.ts';

export const lab: LabPlace = {
  question: 'scores',
  place: 2,
  title: 'Bias',
  needs: 'bias',
  width: 'head',
  presented: 'low',
};
