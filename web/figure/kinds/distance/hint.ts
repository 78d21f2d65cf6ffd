import { type HintFunction, hasRandomTable } from '../../contract/hint.ts';

/** Encodings whose similarity decays with distance and then oscillates. */
const SINUSOIDAL_IDS = ['sinusoidal', 'sinusoidal_grid'];

export const hint: HintFunction = ({ encoding, settings }) => {
  if (hasRandomTable(encoding, settings))
    return 'The vectors are random until they are trained: a position is similar only to itself, and all other distances look the same.';
  return SINUSOIDAL_IDS.includes(encoding.id)
    ? 'The curve falls as positions move apart and then oscillates. Where it is nearly flat, distances are hard to tell apart.'
    : 'Where the curve is nearly flat, distances are hard to tell apart. A wide band means that similarity also depends on absolute position.';
};
