import { program } from './parts/program.ts';
import type { EncodingSource } from './source.ts';

const conventions: { readonly [name: string]: string } = {
  over_n_from_one: '(positions + 1) / n',
  over_n: 'positions / n',
  linspace: 'positions / (n - 1) if n > 1 else 0 * positions',
};

export const source: EncodingSource = (param) =>
  program([
    `def encode(positions, width):
    """The position as a part of the whole text of n tokens, in every channel."""
    n, positions = len(positions), np.asarray(positions, dtype=np.float64)
    x = ${conventions[String(param('convention'))]}
    return np.tile(${param('range') === 'symmetric' ? '2 * x[:, None] - 1' : 'x[:, None]'}, (1, width))`,
  ]);
