import type { LabPlace } from '../../contract/lab-place.ts';

export const lab: LabPlace = {
  question: 'compare',
  place: 2,
  title: 'Add or concatenate',
  needs: 'table',
  width: 'own',
  presented: 'low',
  see: () => 'Adding saves channels, concatenating keeps words and positions apart. Bright cells are positions whose results are alike.',
};
