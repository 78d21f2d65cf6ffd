import { type HintFunction, hasRandomTable } from '../../contract/hint.ts';

export const hint: HintFunction = ({ encoding, settings }) =>
  hasRandomTable(encoding, settings)
    ? 'The vectors are random until they are trained, so the path jumps: neighbours are no more similar than distant positions.'
    : 'The path joins positions in order. Where it is smooth, neighbouring positions have similar vectors; where it jumps, their vectors are far apart.';
