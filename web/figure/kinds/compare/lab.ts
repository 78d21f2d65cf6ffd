import type { LabPlace } from '../../contract/lab-place.ts';

export const lab: LabPlace = {
  question: 'compare',
  place: 1,
  title: 'Two encodings',
  presented: 'wide',
  see: () => 'A, B and their difference have the same axes and the same colours. A difference of zero everywhere means that the two agree.',
};
