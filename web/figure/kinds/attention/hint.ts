import type { Hint } from '../../contract/hint.ts';

export const hint: Hint = ({ noun, encoding: { injection }, setting: { mask } }) =>
  `Each row is the distribution of one query’s attention over the words. ${
    mask === 'causal'
      ? 'With the causal mask the upper right is empty.'
      : injection === 'none'
        ? 'Without positions, moving a word only moves its row and its column.'
        : `With ${noun}, moving a word changes other rows too.`
  }`;
