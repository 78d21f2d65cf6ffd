import type { HintFunction } from '../../contract/hint.ts';

export const hint: HintFunction = () =>
  'Coordinates alone give a blur. Fourier features give an image: smooth if sigma is small, with noise between the trained pixels if sigma is large.';
