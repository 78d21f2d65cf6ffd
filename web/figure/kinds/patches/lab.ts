import type { LabPlace } from '../../contract/lab-place.ts';

export const lab: LabPlace = {
  question: 'reach',
  place: 3,
  title: 'Image patches',
  see: () => 'Shuffle the patches: without positions attention does not notice. An encoding of rows and columns makes it notice.',
};
