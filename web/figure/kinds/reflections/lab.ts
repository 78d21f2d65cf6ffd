import type { LabPlace } from '../../contract/lab-place.ts';

export const lab: LabPlace = {
  question: 'scores',
  place: 6,
  title: 'Reflections',
  isAlone: true,
};
