import type { LabPlace } from '../../contract/lab-place.ts';

export const lab: LabPlace = {
  question: 'position',
  place: 4,
  title: 'Similarity',
  needs: 'table',
  see: () => 'Bright cells are positions whose vectors are alike. If only the distance counts, every diagonal has one colour.',
};
