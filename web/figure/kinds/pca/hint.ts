import { type Hint, hasRandomTable } from '../../contract/hint.ts';

export const hint: Hint = ({ encoding, setting }) =>
  hasRandomTable(encoding, setting)
    ? 'The vectors are random until they are trained, so the path jumps: neighbours are no more similar than distant positions.'
    : 'The path joins positions in their order. Where it is smooth, a small step changes little; where it jumps, neighbours are far apart.';
