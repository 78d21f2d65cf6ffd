import type { See } from '../../contract/what-to-see.ts';

export const see: See = () =>
  'Short bars are layers that see only the last tokens, long ones reach the whole text. A pale bar is a layer without an encoding, which knows of order only what the causal mask hides.';
