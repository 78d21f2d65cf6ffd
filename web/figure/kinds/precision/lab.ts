import type { LabPlace } from '../../contract/lab-place.ts';

export const lab: LabPlace = {
  question: 'reach',
  place: 6,
  title: 'Precision',
  width: 'own',
};
