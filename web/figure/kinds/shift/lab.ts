import type { LabPlace } from '../../contract/lab-place.ts';

export const lab: LabPlace = {
  question: 'position',
  place: 7,
  title: 'Shift',
  needs: 'waves',
  width: 'own',
  see: () =>
    'One matrix moves every position by k, because it rotates each pair by the same angle everywhere. That is why relative positions can be learned.',
};
