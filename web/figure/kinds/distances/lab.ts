import type { LabPlace } from '../../contract/lab-place.ts';

export const lab: LabPlace = {
  question: 'reach',
  place: 2.5,
  title: 'Distances',
  width: 'head',
};
