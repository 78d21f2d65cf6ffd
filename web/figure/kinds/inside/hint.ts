import type { Hint } from '../../contract/hint.ts';

export const hint: Hint = ({ noun, encoding: { injection } }) =>
  injection === 'none'
    ? 'A model that gets no positions cannot aim at a distance: its rows are smeared over all that came before.'
    : `A model that was trained with ${noun} reads your sentence. A bright line just below the diagonal is a head that looks at the character before.`;
