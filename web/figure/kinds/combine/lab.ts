import type { LabPlace } from '../../contract/lab-place.ts';

export const lab: LabPlace = {
  question: 'compare',
  place: 2,
  title: 'Add or concatenate',
  needs: 'table',
  width: 'own',
  presented: 'low',
};
