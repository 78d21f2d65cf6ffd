import type { LabPlace } from '../../contract/lab-place.ts';

export const lab: LabPlace = {
  question: 'learn',
  place: 5,
  title: 'Where position hides',
  isAlone: true,
};
