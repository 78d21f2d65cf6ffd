import type { LabPlace } from '../../contract/lab-place.ts';

export const lab: LabPlace = {
  question: 'learn',
  place: 3,
  title: 'Inside a trained model',
  isAlone: true,
};
