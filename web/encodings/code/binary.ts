import { program } from './parts/program.ts';
import type { EncodingSource } from './source.ts';

export const source: EncodingSource = (param) =>
  program([
    `def encode(positions, width):
    """The position as a binary number, one bit a channel, the ${param('order') === 'msb_first' ? 'most' : 'least'} significant first."""
    bits = ${param('order') === 'msb_first' ? 'width - 1 - np.arange(width, dtype=int)' : 'np.arange(width, dtype=int)'}
    numbers = np.asarray(positions, dtype=int)[:, None]
    return (numbers >> np.clip(bits, 0, 63)) & 1`,
  ]);
