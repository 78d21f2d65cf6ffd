import type { LabPlace } from '../../../../web/figure/contract/lab-place.ts';

export const lab: LabPlace = {
  question: 'position',
  place: 2.5,
  title: 'Parity',
  needs: 'table',
  width: 'own',
};
