import type { LabPlace } from '../../contract/lab-place.ts';

export const lab: LabPlace = {
  question: 'reach',
  place: 3,
  title: 'Image patches',
};
