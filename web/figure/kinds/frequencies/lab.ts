import type { LabPlace } from '../../contract/lab-place.ts';

export const lab: LabPlace = {
  question: 'reach',
  place: 1,
  title: 'Longer context',
  width: 'own',
  presented: 'wide',
};
