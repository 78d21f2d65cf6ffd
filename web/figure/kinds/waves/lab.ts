import type { LabPlace } from '../../contract/lab-place.ts';

export const lab: LabPlace = {
  question: 'position',
  place: 2,
  title: 'Waves',
  needs: 'table',
};
