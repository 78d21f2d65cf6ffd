import type { LabPlace } from '../../contract/lab-place.ts';

export const lab: LabPlace = {
  question: 'scores',
  place: 3,
  title: 'Curve',
  needs: 'bias',
  width: 'head',
};
