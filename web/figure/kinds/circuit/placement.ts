import type { Placement } from '../../contract/placement.ts';

export const placement: Placement = { question: 'learn', place: 6, title: 'Birth of a circuit', isAlone: true };
