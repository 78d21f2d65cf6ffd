// Maps cells of matrices to the shared cursor, by pointer and by arrow keys.
import type { Figure } from '../../sentence/compute.ts';
import { cellAt, type HeatmapPicture } from '../../views/heatmap.ts';
import { choose, placeCursor, point, pointed } from '../cursor.ts';
import type { PictureTask } from '../picture-host.ts';
import { figure } from '../store.ts';

const clamp = (value: number, count: number): number => Math.max(0, Math.min(count - 1, value));

/** Points at a query and a key by their places. */
function pointPair({ order }: Figure, query: number, key: number): void {
  point({ query: order[clamp(query, order.length)], key: order[clamp(key, order.length)] });
}

/** A matrix of queries by keys. */
export function pairTask(draw: PictureTask['draw']): PictureTask {
  let shown: HeatmapPicture | undefined;
  return {
    draw: (frame) => {
      shown = draw(frame) as HeatmapPicture | undefined;
      return shown;
    },
    hit(x, y) {
      const cell = shown && cellAt(shown.layout, x, y);
      const now = figure.peek();
      if (cell && now) pointPair(now, cell.row, cell.column);
      else point({});
    },
    pick: () => choose(pointed.peek().query ?? pointed.peek().key),
    leave: () => point({}),
    step(columns, rows) {
      const now = figure.peek();
      if (!now) return;
      const { query, key } = placeCursor(now);
      pointPair(now, query + (key === undefined ? 0 : rows), key === undefined ? query : key + columns);
    },
  };
}

/** A matrix of positions by dimensions. */
export function dimensionTask(draw: PictureTask['draw']): PictureTask {
  let shown: HeatmapPicture | undefined;
  const pointCell = ({ order }: Figure, row: number, column: number): void => {
    const { columns = 1 } = shown?.layout ?? {};
    point({ key: order[clamp(row, order.length)], dimension: clamp(column, columns) });
  };
  return {
    draw: (frame) => {
      shown = draw(frame) as HeatmapPicture | undefined;
      return shown;
    },
    hit(x, y) {
      const cell = shown && cellAt(shown.layout, x, y);
      const now = figure.peek();
      if (cell && now) pointCell(now, cell.row, cell.column);
      else point({});
    },
    pick: () => choose(pointed.peek().key),
    leave: () => point({}),
    step(columns, rows) {
      const now = figure.peek();
      if (!now) return;
      const { query, key, dimension } = placeCursor(now);
      if (dimension === undefined) pointCell(now, key ?? query, 0);
      else pointCell(now, (key ?? query) + rows, dimension + columns);
    },
  };
}
