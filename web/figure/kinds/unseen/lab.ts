import type { LabPlace } from '../../contract/lab-place.ts';

export const lab: LabPlace = {
  question: 'reach',
  place: 2.7,
  title: 'Beyond training',
  width: 'own',
};
