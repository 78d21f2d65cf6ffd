import type { LabPlace } from '../../contract/lab-place.ts';

export const lab: LabPlace = {
  question: 'position',
  place: 3,
  title: 'Clocks',
  needs: 'waves',
  width: 'own',
};
