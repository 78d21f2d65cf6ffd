import { choice, count, encoding, type SpecOf } from '../../contract/fields.ts';

export const fields = {
  // With the default base of RoPE, most hands would stay close to twelve o'clock at these few positions.
  encoding: encoding('rope base=100', { ids: ['rope'] }),
  length: count(12, 1, 32),
  show: choice('all_pairs', 'one_pair'),
  pair: count(0, 0, 255),
  dim: count(64, 2, 512),
  positionOffset: count(0, 0, 1_000_000),
};
export type Spec = SpecOf<typeof fields>;
