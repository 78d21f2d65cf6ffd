import type { LabPlace } from '../../contract/lab-place.ts';

export const lab: LabPlace = {
  question: 'reach',
  place: 1,
  title: 'Longer context',
  width: 'own',
  presented: 'wide',
  see: () => 'Lines beyond the shaded range are angles never seen in training. Each scaling method brings them back in its own way.',
};
