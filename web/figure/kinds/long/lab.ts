import type { LabPlace } from '../../contract/lab-place.ts';

export const lab: LabPlace = {
  question: 'reach',
  place: 2,
  title: 'Thousands of tokens',
  width: 'own',
  see: () => 'Each pixel is the mean of many weights; zoom in for the exact ones. Look for the diagonal, and for how far it reaches.',
};
