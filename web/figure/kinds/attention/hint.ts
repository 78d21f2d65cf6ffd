import type { HintFunction } from '../../contract/hint.ts';

export const hint: HintFunction = ({ encodingNoun, encoding: { injection }, settings: { mask } }) =>
  `Each row is the distribution of one query’s attention over the words. ${
    mask === 'causal'
      ? 'With the causal mask, the upper right is empty.'
      : injection === 'none'
        ? 'Without positions, moving a word only moves its row and its column.'
        : `With ${encodingNoun}, moving a word changes other rows too.`
  }`;
