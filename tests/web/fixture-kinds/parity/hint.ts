import type { HintFunction } from '../../../../web/figure/contract/hint.ts';

export const hint: HintFunction = ({ encodingNoun }) => `Every other row of ${encodingNoun}.`;
