import type { Hint } from '../../contract/hint.ts';

export const hint: Hint = () =>
  'Lines beyond the shaded range are angles never seen in training. Each scaling method brings them back in its own way.';
