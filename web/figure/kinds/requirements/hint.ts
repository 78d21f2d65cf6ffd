import type { HintFunction } from '../../contract/hint.ts';

export const hint: HintFunction = ({ encoding: { injection } }) =>
  injection === 'none'
    ? 'Without an encoding there is no position information, so none of the five requirements can hold. Select an encoding to see which requirements hold.'
    : 'Each row compares a measured value with its threshold. An encoding need not meet all five requirements.';
