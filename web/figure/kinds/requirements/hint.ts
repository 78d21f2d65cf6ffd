import type { Hint } from '../../contract/hint.ts';

export const hint: Hint = ({ encoding: { injection } }) =>
  injection === 'none'
    ? 'Without an encoding there is no position information, so none of the five can hold. Select an encoding to see which do.'
    : 'Each line compares one measured number with its threshold. An encoding need not meet all five.';
