import type { LabPlace } from '../../contract/lab-place.ts';

export const lab: LabPlace = {
  question: 'attention',
  place: 9,
  title: 'Where position hides',
  isAlone: true,
};
