// The table of sinusoids as a picture.
import type { Poster } from '../poster.ts';
import { SIDE } from '../poster.ts';

const [LENGTH, WIDTH, BASE] = [96, 96, 1000];

export const poster: Poster = {
  id: 'sinusoids',
  title: 'A table of sinusoids',
  caption: `${LENGTH} positions from top to bottom, ${WIDTH / 2} sines and ${WIDTH / 2} cosines from fast to slow`,
  figure: {
    kind: 'table',
    fields: { encoding: `sinusoidal base=${BASE} layout=concatenated`, length: String(LENGTH), dim: String(WIDTH) },
  },
  to: 'book/sinusoids/#the-table-as-a-picture',
  numbers(phasor) {
    const { data } = phasor.positionTable({
      encoding: { id: 'sinusoidal', base: BASE, layout: 'concatenated' },
      length: LENGTH,
      dim: WIDTH,
    });
    return (look) => ({ rasters: [look.cells({ rows: LENGTH, columns: WIDTH, data }, SIDE, [-1, 1], 'diverging')] });
  },
};
