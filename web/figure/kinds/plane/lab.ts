import type { LabPlace } from '../../contract/lab-place.ts';

export const lab: LabPlace = {
  question: 'position',
  place: 6,
  title: 'Path',
  needs: 'table',
};
