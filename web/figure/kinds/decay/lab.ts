import type { LabPlace } from '../../contract/lab-place.ts';

export const lab: LabPlace = {
  question: 'reach',
  place: 5,
  title: 'Decay',
  width: 'head',
};
