import type { See } from '../../contract/what-to-see.ts';

export const see: See = () =>
  'Plain RoPE is dark beyond the trained length and NTK-aware is in part, while linear scaling and the methods that change distances never are. Show the attention to see what they do to keys that are far away, and the loss to see how well a model then reads.';
