import type { See } from '../../contract/what-to-see.ts';

export const see: See = () =>
  'RoPE and a learned table soon answer who came first; no encoding, and a bias that is the same on both sides, stay at chance.';
