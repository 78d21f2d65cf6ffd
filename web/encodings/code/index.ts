import { program } from './parts/program.ts';
import { column } from './parts/start.ts';
import type { EncodingSource } from './source.ts';

export const source: EncodingSource = (param) =>
  program([
    `def encode(positions, width):
    """The position itself, in every channel."""
    column = ${column(param('start'))}
    return np.tile(column, (1, width))`,
  ]);
