import type { Hint } from '../../contract/hint.ts';

export const hint: Hint = () =>
  'Coordinates alone result in a blur. Fourier features result in an image: smooth if sigma is small, and noise between the trained pixels if it is large.';
