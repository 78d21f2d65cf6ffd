// Determines the displayed region of a large weight matrix, and creates the zoom buttons.
import type { Action, Cursor } from '../contract/kind.ts';

const STRINGS = { zoomIn: 'Zoom in', zoomOut: 'Zoom out', all: 'Show all' } as const;

/** Separate cursor axes, so that linked figures with other tokens ignore the cursor. */
export const ROW_AXIS = 'longQuery';
export const COLUMN_AXIS = 'longKey';

/** Zooming divides or multiplies the side of the region by ZOOM_FACTOR, down to a minimum of MIN_SPAN tokens. */
const ZOOM_FACTOR = 4;
const MIN_SPAN = 8;

export interface Region {
  /** Indices of the first displayed query and key. */
  readonly query: number;
  readonly key: number;
  /** Number of displayed queries and keys; 0: all. */
  readonly span: number;
  /** Maximum number of cells along a side. */
  readonly size: number;
}

type Range = readonly [begin: number, end: number];

/**
 * Returns the ranges of the displayed queries (`rows`) and keys (`columns`), the side of a cell in tokens (`cell`), and the number of cells
 * per column (`cells`) and per row (`across`).
 */
export function resolveRegion({ query, key, span, size }: Region, queries: number, keys = queries) {
  // A region that extends past the last token is shifted back without changing its size.
  const clampRange = (firstToken: number, length: number): Range => {
    const shownCount = span === 0 ? length : Math.min(span, length);
    const begin = span === 0 ? 0 : Math.min(firstToken, length - shownCount);
    return [begin, begin + shownCount];
  };
  const [rows, columns] = [clampRange(query, queries), clampRange(key, keys)];
  const [rowCount, columnCount] = [rows[1] - rows[0], columns[1] - columns[0]];
  const cell = Math.ceil(Math.max(rowCount, columnCount) / size);
  return { rows, columns, cell, cells: Math.ceil(rowCount / cell), across: Math.ceil(columnCount / cell) };
}

/** Returns the index of the cell at a position, or -1 if the position is not in the range. */
export const findCell = (position: number | undefined, [begin, end]: Range, cellSize: number): number =>
  position === undefined || !(position >= begin && position < end) ? -1 : Math.floor((position - begin) / cellSize);

/** Creates buttons that zoom around the cursor, or around the center of the region if the cursor is outside it. */
export function createZoomActions(region: Region, queries: number, keys = queries): readonly Action[] {
  const { rows, columns } = resolveRegion(region, queries, keys);
  const [length, shownLength] = [Math.max(queries, keys), Math.max(rows[1] - rows[0], columns[1] - columns[0])];
  const zoomTo = (newSpan: number) => (cursor: Cursor) => {
    if (newSpan >= length) return { span: 0, query: 0, key: 0 };
    const centerSpan = ([begin, end]: Range, cursorPosition: number | undefined, tokenCount: number): number => {
      const middle =
        cursorPosition !== undefined && cursorPosition >= begin && cursorPosition < end ? cursorPosition : Math.floor((begin + end) / 2);
      return Math.max(0, Math.min(tokenCount - newSpan, middle - Math.floor(newSpan / 2)));
    };
    return { span: newSpan, query: centerSpan(rows, cursor[ROW_AXIS], queries), key: centerSpan(columns, cursor[COLUMN_AXIS], keys) };
  };
  const { size } = region;
  const minSpan = Math.min(MIN_SPAN, length);
  const nextSpan = Math.max(minSpan, Math.ceil(shownLength / ZOOM_FACTOR));
  // If zooming would show cells of two tokens per side, show fewer tokens instead, so that each cell is a single weight.
  const zoomedSpan = nextSpan > size && nextSpan < 2 * size && size >= MIN_SPAN ? size : nextSpan;
  return [
    { label: STRINGS.zoomIn, keys: ['+', '='], fields: zoomTo(zoomedSpan), disabled: shownLength <= minSpan },
    { label: STRINGS.zoomOut, keys: ['−', '-'], fields: zoomTo(shownLength * ZOOM_FACTOR), disabled: shownLength >= length },
    { label: STRINGS.all, keys: ['0'], fields: zoomTo(length), disabled: shownLength >= length },
  ];
}
