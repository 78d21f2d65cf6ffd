import type { LabPlace } from '../../contract/lab-place.ts';

export const lab: LabPlace = {
  question: 'position',
  place: 5,
  title: 'Distance',
  needs: 'table',
};
