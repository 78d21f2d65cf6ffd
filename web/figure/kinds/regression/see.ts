import type { See } from '../../contract/what-to-see.ts';

export const see: See = () =>
  'Coordinates alone give a blur. Fourier features give an image: smooth if sigma is small, and noise between the trained pixels if it is large.';
