import { program } from './parts/program.ts';
import { column } from './parts/start.ts';
import type { EncodingSource } from './source.ts';

export const source: EncodingSource = (param) =>
  program([
    `def encode(positions, width):
    """The position as a point on a circle: two channels, whatever the width."""
    angles = ${column(param('start'))}
    return np.concatenate([np.sin(angles), np.cos(angles)], axis=1)`,
  ]);
