import type { LabPlace } from '../../contract/lab-place.ts';

export const lab: LabPlace = {
  question: 'position',
  place: 7,
  title: 'Shift',
  needs: 'waves',
  width: 'own',
};
