import type { See } from '../../contract/what-to-see.ts';

export const see: See = () =>
  'Lines beyond the shaded range are angles never seen in training. Each scaling method brings them back in its own way.';
