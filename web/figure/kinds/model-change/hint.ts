import type { HintFunction } from '../../contract/hint.ts';

export const hint: HintFunction = () =>
  'Beyond its training length the model fails on distances it has not seen; clipping them to trained distances prevents this. Click a layer to remove positions from that layer only.';
