import type { HintFunction } from '../../contract/hint.ts';

export const hint: HintFunction = ({ encodingNoun, encoding: { injection } }) =>
  injection === 'none'
    ? 'A model without positions cannot select a distance: its rows spread over all earlier characters.'
    : `A model trained with ${encodingNoun} reads your sentence. Large weights just below the diagonal indicate a head that attends to the previous character.`;
