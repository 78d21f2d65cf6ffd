import { program } from './parts/program.ts';
import { column } from './parts/start.ts';
import type { EncodingSource } from './source.ts';

export const source: EncodingSource = (param) =>
  program([
    `def encode(positions, width):
    """Sine and cosine of harmonic frequencies 1, 1/2, 1/3 ..."""
    frequencies = 1 / np.arange(1, width // 2 + 1)
    angles = ${Number(param('start')) === 0 ? column(0) : `(${column(param('start'))})`} * frequencies
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(len(angles), -1)`,
  ]);
