import type { LabPlace } from '../../contract/lab-place.ts';

export const lab: LabPlace = {
  question: 'reach',
  place: 4,
  title: 'A set of points',
  see: () =>
    'A set has no order, so nothing should depend on it. With an encoding for sequences the same points get different outputs in another order.',
};
