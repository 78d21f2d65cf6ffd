import { program } from './parts/program.ts';
import { column } from './parts/start.ts';
import type { EncodingSource } from './source.ts';

export const source: EncodingSource = (param) =>
  program([
    `def encode(positions, width):
    """One sine of the position, in every channel."""
    angles = ${column(param('start'))}
    return np.tile(np.sin(angles), (1, width))`,
  ]);
