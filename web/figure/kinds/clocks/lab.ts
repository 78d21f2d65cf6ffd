import type { LabPlace } from '../../contract/lab-place.ts';

export const lab: LabPlace = {
  question: 'position',
  place: 3,
  title: 'Clocks',
  needs: 'waves',
  width: 'own',
  see: () => 'Each pair of channels is the hand of a clock. Read from fast to slow they count positions, as binary digits do.',
};
