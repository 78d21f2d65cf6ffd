import type { LabPlace } from '../../contract/lab-place.ts';

export const lab: LabPlace = {
  question: 'scores',
  place: 4,
  title: 'From score to weight',
};
