// Positions in an image: each tile compares one patch with all.
import { entryAt } from '../../../charts/entry-at.ts';
import { similarity } from '../../../engine/analysis.ts';
import type { Poster } from '../poster.ts';
import { SIDE } from '../poster.ts';

const [ROW, WIDTH, BASE] = [7, 32, 60];
const PATCHES = ROW * ROW;
/** Cells per tile including a gap. */
const TILE = ROW + 1;
const CELLS = ROW * TILE + 1;
const MIN = 0.15;

export const poster: Poster = {
  id: 'patches',
  title: 'Patches of a picture',
  caption: `Each tile is one of ${PATCHES} patches, compared with all of them: rows and columns at once`,
  figure: { kind: 'patches', fields: { encoding: 'sinusoidal_grid', arrangement: 'original', heads: '1' } },
  to: 'book/beyond-text/#numbering-is-not-enough',
  numbers(phasor) {
    const positions = {
      shape: [PATCHES, 2],
      data: Float64Array.from({ length: 2 * PATCHES }, (_, at) => (at % 2 === 0 ? Math.floor(at / 2 / ROW) : Math.floor(at / 2) % ROW)),
    };
    const table = phasor.positionTable({ encoding: { id: 'sinusoidal_grid', base: BASE }, positions, dim: WIDTH });
    const alike = similarity(phasor, { table }).data;
    const data = new Float32Array(CELLS * CELLS).fill(Number.NaN);
    for (let from = 0; from < PATCHES; from++)
      for (let to = 0; to < PATCHES; to++) {
        const row = Math.floor(from / ROW) * TILE + 1 + Math.floor(to / ROW);
        const column = (from % ROW) * TILE + 1 + (to % ROW);
        data[row * CELLS + column] = entryAt(alike, from * PATCHES + to);
      }
    return (look) => ({ rasters: [look.cells({ rows: CELLS, columns: CELLS, data }, SIDE, [MIN, 1], 'sequential')] });
  },
};
