import type { See } from '../../../../web/figure/contract/what-to-see.ts';

export const see: See = ({ noun }) => `Every other row of ${noun}.`;
