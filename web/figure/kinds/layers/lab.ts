import type { LabPlace } from '../../contract/lab-place.ts';

export const lab: LabPlace = {
  question: 'reach',
  place: 1.5,
  title: 'Layer by layer',
  width: 'own',
};
