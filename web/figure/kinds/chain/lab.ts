import type { LabPlace } from '../../contract/lab-place.ts';

export const lab: LabPlace = {
  question: 'scores',
  place: 4,
  title: 'From score to weight',
  see: () => 'Follow one key from top to bottom: its score, what is added, the mask, and its weight. The weights of all keys sum to 1.',
};
