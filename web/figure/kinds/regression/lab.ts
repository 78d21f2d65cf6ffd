import type { LabPlace } from '../../contract/lab-place.ts';

export const lab: LabPlace = {
  question: 'learn',
  place: 4,
  title: 'An image from coordinates',
  isAlone: true,
};
