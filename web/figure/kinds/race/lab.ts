import type { LabPlace } from '../../contract/lab-place.ts';

export const lab: LabPlace = {
  question: 'compare',
  place: 3,
  title: 'Watch it learn',
  isAlone: true,
};
