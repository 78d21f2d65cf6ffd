import type { Hint } from '../../contract/hint.ts';

export const hint: Hint = ({ noun, encoding: { injection } }) =>
  injection === 'none'
    ? 'Drag a word. Without positions the model knows which words there are, hardly their order, so its guess is a guess.'
    : `Drag a word: the model, trained with ${noun}, guesses what came after the last word the time before.`;
