import type { LabPlace } from '../../contract/lab-place.ts';

export const lab: LabPlace = {
  question: 'compare',
  place: 1,
  title: 'Two encodings',
  presented: 'wide',
};
