import type { Hint } from '../../contract/hint.ts';

export const hint: Hint = ({ encoding: { injection } }) =>
  injection === 'none'
    ? 'Without an encoding no position gets anything, so none of the five can hold. Choose an encoding to see which do.'
    : 'Each line compares one measured number with what is asked of it. No encoding has to meet all five.';
