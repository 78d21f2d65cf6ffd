import type { Poster } from '../poster.ts';
import { POSTER_SIDE } from '../poster.ts';

const [POSITION_COUNT, DIM, BASE] = [96, 96, 1000];

export const poster: Poster = {
  id: 'sinusoids',
  title: 'A table of sinusoids',
  caption: `${POSITION_COUNT} positions from top to bottom, ${DIM / 2} sines and ${DIM / 2} cosines from fast to slow`,
  figure: {
    kind: 'table',
    fields: { encoding: `sinusoidal base=${BASE} layout=concatenated`, length: String(POSITION_COUNT), dim: String(DIM) },
  },
  to: 'book/sinusoids/#the-table-as-a-picture',
  compute(phasor) {
    const { data } = phasor.positionTable({
      encoding: { id: 'sinusoidal', base: BASE, layout: 'concatenated' },
      length: POSITION_COUNT,
      dim: DIM,
    });
    return (style) => ({ rasters: [style.drawCells({ rows: POSITION_COUNT, columns: DIM, data }, POSTER_SIDE, [-1, 1], 'diverging')] });
  },
};
