import type { LabPlace } from '../../contract/lab-place.ts';

export const lab: LabPlace = {
  question: 'reach',
  place: 4,
  title: 'A set of points',
};
