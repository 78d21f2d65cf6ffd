// The similarity of all pairs of positions.
import { similarity } from '../../../engine/analysis.ts';
import type { Poster } from '../poster.ts';
import { SIDE } from '../poster.ts';

const [LENGTH, WIDTH] = [96, 64];
/** The lower end of the colours, near the minimum similarity of sinusoidal positions. */
const MIN = 0.2;

export const poster: Poster = {
  id: 'alike',
  title: 'Which positions are similar?',
  caption: `The cosine of each two of ${LENGTH} sinusoidal positions: only the distance matters`,
  figure: { kind: 'similarity', fields: { encoding: 'sinusoidal', length: String(LENGTH) } },
  to: 'book/sinusoids/#the-distance-in-a-dot-product',
  numbers(phasor) {
    const table = phasor.positionTable({ encoding: 'sinusoidal', length: LENGTH, dim: WIDTH });
    const { data } = similarity(phasor, { table });
    return (look) => ({ rasters: [look.cells({ rows: LENGTH, columns: LENGTH, data }, SIDE, [MIN, 1], 'sequential')] });
  },
};
