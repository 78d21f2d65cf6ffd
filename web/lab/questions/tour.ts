// A tour of RoPE in four steps. Each step is a Lab state, so it can be linked.
import type { LabState } from '../state/state.ts';

export interface TourStep {
  readonly title: string;
  readonly text: string;
  readonly state: Partial<LabState>;
}

const ropeState: Partial<LabState> = { encoding: 'rope', params: {}, mask: 'none', heads: 4, dim: 64, projections: 'identity', order: [] };

export const TOUR: readonly TourStep[] = [
  {
    title: 'One pair of channels is rotated according to its position',
    text: 'Two channels of a vector act as the hand of a clock, which advances by the same angle θ at each position: the query at position 5 is rotated by 5θ, the key at position 2 by 2θ. Drag q or k along the line: the angle between the hands changes, and with it the score.',
    state: {
      ...ropeState,
      question: 'scores',
      view: 'rotation',
      figures: { 'rotation.pair': '1', 'rotation.query': '5', 'rotation.key': '2' },
    },
  },
  {
    title: 'Every pair rotates at its own speed',
    text: 'Pair 0 is fast and distinguishes neighbours; the last pair is slow and distinguishes the beginning from the end, like the hands of a clock. Drag q along the line: the hand rotates quickly in the first small circle and hardly moves in the last.',
    state: {
      ...ropeState,
      question: 'scores',
      view: 'rotation',
      figures: { 'rotation.pair': '0', 'rotation.query': '12', 'rotation.key': '12', 'rotation.show': 'all_pairs' },
    },
  },
  {
    title: 'Rotate q and k together and the score stays the same',
    text: 'In step 1, q was at position 5 and k at 2; both are now 8 positions farther along. Dashed hands show their earlier angles. The angle between the hands is the same as in step 1, and so is the recomputed score. Drag the bar to any other position.',
    state: {
      ...ropeState,
      question: 'scores',
      view: 'rotation',
      figures: { 'rotation.pair': '1', 'rotation.query': '13', 'rotation.key': '10', 'rotation.from': '5 2' },
    },
  },
  {
    title: 'Extend the context',
    text: 'Beyond the trained length, slow pairs reach angles that never occur in training. Scaling methods lower the frequencies in different ways.',
    state: { ...ropeState, question: 'reach', view: 'frequencies', figures: {} },
  },
];

export const findTourStep = ({ tour }: Pick<LabState, 'tour'>): TourStep | undefined => TOUR[tour - 1];

/** Returns whether the Lab shows a step's encoding, question and view. */
export const showsStep = (currentState: LabState, { state }: TourStep): boolean =>
  currentState.encoding === state.encoding && currentState.question === state.question && currentState.view === state.view;

/** Returns a step's state. Steps are counted from 1; 0 ends the tour. */
export const stateFromStep = (stepNumber: number): Partial<LabState> => ({ ...TOUR[stepNumber - 1]?.state, tour: stepNumber });
