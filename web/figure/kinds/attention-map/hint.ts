import type { HintFunction } from '../../contract/hint.ts';

export const hint: HintFunction = () =>
  'Each pixel is the mean of many weights; zoom in to see individual weights. The width of the diagonal band shows how far attention reaches.';
