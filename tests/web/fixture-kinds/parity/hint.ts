import type { Hint } from '../../../../web/figure/contract/hint.ts';

export const hint: Hint = ({ noun }) => `Every other row of ${noun}.`;
