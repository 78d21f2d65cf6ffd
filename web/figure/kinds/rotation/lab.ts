import type { LabPlace } from '../../contract/lab-place.ts';

export const lab: LabPlace = {
  question: 'scores',
  place: 1,
  title: 'Rotation',
  needs: 'rotation',
  width: 'head',
  presented: 'wide',
  isAlone: true,
  see: () =>
    'Each pair of channels is rotated by its position times its frequency. The dot product depends only on the angle between query and key, and so on the distance.',
};
