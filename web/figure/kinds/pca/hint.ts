import { type HintFunction, hasRandomTable } from '../../contract/hint.ts';

export const hint: HintFunction = ({ encoding, settings }) =>
  hasRandomTable(encoding, settings)
    ? 'The vectors are random until they are trained, so the path jumps: neighbours are no more similar than distant positions.'
    : 'The path joins positions in their order. Where it is smooth, a small step changes little; where it jumps, neighbours are far apart.';
