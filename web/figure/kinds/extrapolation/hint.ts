import type { HintFunction } from '../../contract/hint.ts';
import { LINE_IDS } from './placement.ts';

export const hint: HintFunction = ({ encodingNoun, encoding: { id } }) =>
  `Beyond the trained length, a learned table has no rows, whereas T5’s bias continues. ${
    LINE_IDS.includes(id) ? 'Extend the table to see the effect of untrained rows.' : `There is no line for ${encodingNoun} here.`
  }`;
