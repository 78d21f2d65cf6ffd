import type { LabPlace } from '../../contract/lab-place.ts';

export const lab: LabPlace = {
  question: 'attention',
  place: 4,
  title: 'Forget gates',
  // Its scores are all equal, unless the reader wants those of the words.
  isAlone: true,
};
