import type { LabPlace } from '../../contract/lab-place.ts';

export const lab: LabPlace = {
  question: 'position',
  place: 1,
  title: 'Table',
  needs: 'table',
};
