// Places of the parts of a picture of pairs: a large plane beside its formulas where there is room, else above them; tracks; and a grid of small ones.
import { widest } from '../../../views/text-metrics.ts';

export interface PairLayout {
  readonly width: number;
  readonly height: number;
  readonly plane: { readonly cx: number; readonly cy: number; readonly radius: number };
  /** Without, where the picture has to be low. */
  readonly formulas?: { readonly x: number; readonly y: number; readonly width: number };
  readonly tracks: { readonly x: number; readonly y: number; readonly width: number; readonly rowHeight: number };
  readonly grid: {
    readonly x: number;
    readonly y: number;
    readonly cell: number;
    readonly rowHeight: number;
    readonly columns: number;
    /** Whether the names of pairs fit, or only their numbers. */
    readonly hasNames: boolean;
  };
}

/** From this width on, formulas stand beside the plane. */
const BESIDE = 620;
const LEGEND = 58;
/** Width of the line that names the axes of the plane, for channels of three digits. */
const CAPTION = 290;
/** Height of three formulas with their headings. */
const FORMULAS = 212;
/** How high the small planes may become together before they shrink. */
const GRID_HEIGHT = 300;
const [LARGEST, SMALLEST] = [92, 40];

/** In a low picture tracks and grid stand beside the plane, where the formulas were. */
function lowLayout(width: number, pairs: number, names: readonly string[], maxHeight: number): PairLayout {
  const side = Math.floor(Math.min(width * 0.34, Math.max(120, maxHeight - LEGEND)));
  const left = Math.max(side, CAPTION);
  const x = left + 36;
  const tracks = { x: x + 24, y: LEGEND, width: width - x - 24, rowHeight: 26 };
  const y = tracks.y + 2 * tracks.rowHeight + 36;
  const bottom = Math.max(LEGEND + side, maxHeight);
  let cell = LARGEST;
  const columnsOf = () => Math.max(1, Math.min(pairs, Math.floor((width - x) / cell)));
  while (cell > SMALLEST && Math.ceil(pairs / columnsOf()) * (cell + 16) > bottom - y) cell -= 4;
  const columns = columnsOf();
  const rowHeight = cell + 16;
  const height = Math.max(bottom, y + Math.ceil(pairs / columns) * rowHeight);
  const plane = { cx: left / 2, cy: LEGEND + side / 2, radius: side / 2 - 24 };
  return { width, height, plane, tracks, grid: { x, y, cell, rowHeight, columns, hasNames: widest(names) + 10 <= cell } };
}

export function pairLayout(width: number, pairs: number, names: readonly string[], maxHeight?: number): PairLayout {
  if (maxHeight !== undefined && width >= BESIDE) return lowLayout(width, pairs, names, maxHeight);
  const isBeside = width >= BESIDE;
  const side = Math.floor(isBeside ? Math.min(330, width * 0.4) : Math.min(300, width));
  const x = isBeside ? side + 40 : 0;
  const left = isBeside ? side : width;
  const plane = { cx: left / 2, cy: LEGEND + side / 2, radius: side / 2 - 24 };
  // Beside the plane, the formulas stand in the middle of its height.
  const y = isBeside ? LEGEND + Math.max(0, (side - FORMULAS) / 2) - 8 : LEGEND + side + 12;
  const bottom = Math.max(LEGEND + side, y + FORMULAS);
  const tracks = { x: 24, y: bottom + 14, width: width - 24, rowHeight: 26 };
  const gridY = tracks.y + 2 * tracks.rowHeight + 40;
  const cellFor = (cell: number) => ({ columns: Math.max(1, Math.min(pairs, Math.floor(width / cell))), cell, rowHeight: cell + 16 });
  let grid = cellFor(Math.min(LARGEST, width));
  for (let cell = LARGEST; cell >= SMALLEST; cell -= 4) {
    grid = cellFor(Math.min(cell, width));
    if (Math.ceil(pairs / grid.columns) * grid.rowHeight <= GRID_HEIGHT) break;
  }
  const hasNames = widest(names) + 10 <= grid.cell;
  const height = gridY + Math.ceil(pairs / grid.columns) * grid.rowHeight + 4;
  return { width, height, plane, formulas: { x, y, width: width - x }, tracks, grid: { ...grid, x: 0, y: gridY, hasNames } };
}
