import type { LabPlace } from '../../contract/lab-place.ts';

export const lab: LabPlace = {
  question: 'scores',
  place: 1,
  title: 'Rotation',
  needs: 'rotation',
  width: 'head',
  presented: 'wide',
  isAlone: true,
};
