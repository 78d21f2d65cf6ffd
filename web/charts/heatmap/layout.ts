// The layout of a heatmap, and the cell at a point.
import type { Grid } from '../grid.ts';
import type { Box } from '../picture.ts';
import { LABEL_SIZE, maxTextWidth, shorten, textWidth } from '../text-metrics.ts';

export interface HeatmapShape {
  readonly grid: Grid;
  /** Labels of the rows and columns; default: the index (0-based). */
  readonly rowLabels?: readonly string[] | undefined;
  readonly columnLabels?: readonly string[] | undefined;
  readonly rowTitle?: string | undefined;
  readonly columnTitle?: string | undefined;
  /** A separate column to the left of the others, with one number per row, such as the weight of a sink. */
  readonly aside?: AsideColumn | undefined;
  /**
   * Height in CSS px of a space below the cells. If it is set, the column labels are below the cells, above this space. Otherwise they are above the
   * cells.
   */
  readonly spaceBelow?: number | undefined;
  readonly width: number;
  /** Maximum height of the picture in CSS px; default: 480. */
  readonly maxHeight?: number | undefined;
}

export interface AsideColumn {
  readonly label: string;
  readonly data: Float32Array;
}

export interface HeatmapLayout {
  readonly rows: number;
  readonly columns: number;
  readonly plot: Box;
  readonly aside: Box | undefined;
  /** Free space below the column labels; undefined if the labels are above the cells. */
  readonly below: Box | undefined;
  /** The y coordinate of column labels: the start of slanted labels above the cells, or the end of slanted labels below them. */
  readonly labelsY: number;
  /** Width of a cell in CSS px, which may be below 1. */
  readonly cellWidth: number;
  readonly cellHeight: number;
  readonly isSlanted: boolean;
  /** Labels as drawn, truncated if long. */
  readonly rowTexts: readonly string[];
  readonly columnTexts: readonly string[];
  /** Height of the title line at the top in px; 0 without titles. */
  readonly titlesHeight: number;
  readonly width: number;
  readonly height: number;
}

export interface Cell {
  readonly row: number;
  readonly column: number;
}

export interface HeatmapCursor {
  readonly row?: number | undefined;
  readonly column?: number | undefined;
}

/** The maximum side of a cell in px. It grows with the width, so that a few words stay legible at a distance. */
const maxCellSize = (width: number): number => Math.min(88, Math.max(56, width / 5));
const LEGEND_HEIGHT = 46;
/** The gap beside the separate column, and its minimum width, in px. */
const ASIDE_SIZE = { gap: 12, minWidth: 18 };
const SLANT_FACTOR = Math.SQRT1_2;
/** Minimum distance between two slanted labels in px. */
const SLANTED_GAP = (LABEL_SIZE + 1) / SLANT_FACTOR;

const areLetters = (labelHeight: readonly string[]): boolean => labelHeight.every((label) => [...label].length < 2);

/** Minimum gap between adjacent labels in px. Words need more space than single letters. */
const wordGap = (labels: readonly string[]): number => (areLetters(labels) ? 1 : 8);

/** Whether labels are evenly spaced integers, such as positions. Such labels are not slanted, because omitted ones are easy to infer. */
const areEvenlySpaced = (labels: readonly string[]): boolean => {
  const [first, second = first] = labels.map(Number);
  return labels.every(
    (label, index) => /^-?\d+$/.test(label) && Number(label) === Number(first) + index * (Number(second) - Number(first)),
  );
};

const indexLabels = (count: number): string[] => Array.from({ length: count }, (_, i) => String(i));

/** Cells are square, unless one side of the grid is at least twice as long as the other; then they are stretched. */
function fitCellSize(
  rows: number,
  columns: number,
  maxSize: number,
  availableWidth: number,
  availableHeight: number,
): [width: number, height: number] {
  const maxFittingWidth = Math.min(maxSize, availableWidth / Math.max(1, columns));
  const fittingHeight = Math.min(maxSize, availableHeight / Math.max(1, rows));
  const roundSize = (size: number): number => (size >= 4 ? Math.floor(size) : size);
  if (rows < 2 * columns && columns < 2 * rows) {
    const side = roundSize(Math.min(maxFittingWidth, fittingHeight));
    return [side, side];
  }
  return [
    roundSize(Math.min(maxFittingWidth, Math.max(24, 3 * fittingHeight))),
    roundSize(Math.min(fittingHeight, Math.max(40, 3 * maxFittingWidth))),
  ];
}

// Labels are measured in bold, because the label at the cursor is bold.
const labelWidth = (text: string): number => textWidth(text, LABEL_SIZE, true);
const widestLabel = (texts: readonly string[]): number => maxTextWidth(texts, LABEL_SIZE, true);

/** The layout of a heatmap, which depends only on the shape, not on the data or the cursor. */
export function heatmapLayout(shape: HeatmapShape): HeatmapLayout {
  const { rows, columns } = shape.grid;
  const width = Math.max(1, shape.width);
  const labelTexts = (labels: readonly string[] | undefined, count: number, maxWidth: number): string[] =>
    labels ? labels.slice(0, count).map((word) => shorten(word, maxWidth, LABEL_SIZE, true)) : indexLabels(count);
  const rowTexts = labelTexts(shape.rowLabels, rows, Math.min(96, width * 0.28));
  const columnTexts = labelTexts(shape.columnLabels, columns, 84);
  const left = Math.ceil(widestLabel(rowTexts)) + 10;
  const titlesHeight = shape.rowTitle || shape.columnTitle ? 18 : 0;
  const asideWidth = shape.aside ? labelWidth(shape.aside.label) : 0;
  const columnWidth = Math.max(widestLabel(columnTexts), asideWidth);

  const layoutWith = (isSlanted: boolean): HeatmapLayout => {
    const labels = isSlanted ? Math.ceil(columnWidth * SLANT_FACTOR) + 12 : 18;
    const heightBelow = shape.spaceBelow === undefined ? 0 : labels + 4 + shape.spaceBelow;
    const top = titlesHeight + (heightBelow > 0 ? 2 : labels);
    const overhang =
      isSlanted && heightBelow === 0
        ? labelWidth(columnTexts[columns - 1] ?? '') * SLANT_FACTOR
        : labelWidth(columnTexts[columns - 1] ?? '') / 2 - 4;
    const availableWidth = Math.max(8, width - left - Math.max(1, Math.ceil(overhang)));
    const availableHeight = Math.max(8, (shape.maxHeight ?? 480) - top - heightBelow - LEGEND_HEIGHT);
    // The separate column is as wide as a cell, or as the label above it if that is wider.
    const minAsideWidth = isSlanted ? ASIDE_SIZE.minWidth : Math.max(ASIDE_SIZE.minWidth, asideWidth);
    const maxPlotWidth = shape.aside
      ? Math.min(availableWidth - ASIDE_SIZE.gap - minAsideWidth, ((availableWidth - ASIDE_SIZE.gap) * columns) / (columns + 1))
      : availableWidth;
    const [cellWidth, cellHeight] = fitCellSize(rows, columns, maxCellSize(width), Math.max(8, maxPlotWidth), availableHeight);
    const asideBox = shape.aside && { x: left, y: top, width: Math.max(minAsideWidth, cellWidth), height: cellHeight * rows };
    const plot = {
      x: asideBox ? left + asideBox.width + ASIDE_SIZE.gap : left,
      y: top,
      width: cellWidth * columns,
      height: cellHeight * rows,
    };
    const bottom = top + plot.height;
    const below = shape.spaceBelow === undefined ? undefined : { ...plot, y: bottom + labels + 4, height: shape.spaceBelow };
    const labelsY = below ? bottom + 12 : top - 9;
    const height = Math.ceil(bottom + heightBelow + LEGEND_HEIGHT);
    const boxes = { plot, aside: asideBox, below, labelsY };
    return { rows, columns, ...boxes, cellWidth, cellHeight, isSlanted, rowTexts, columnTexts, titlesHeight, width, height };
  };
  const horizontalLayout = layoutWith(false);
  const hasWords = shape.columnLabels !== undefined && !areEvenlySpaced(shape.columnLabels);
  const labelSpace = columnWidth + wordGap(columnTexts);
  // Labels are slanted only if they are wider than a cell and more of them fit when slanted.
  return hasWords && labelSpace > Math.max(horizontalLayout.cellWidth, SLANTED_GAP) ? layoutWith(true) : horizontalLayout;
}

/** Minimum distance between two row labels in px. It is larger for evenly spaced integers, because omitted ones are easy to infer. */
export const rowGap = ({ rowLabels }: HeatmapShape): number => {
  if (!rowLabels || areEvenlySpaced(rowLabels)) return 22;
  return areLetters(rowLabels) ? LABEL_SIZE : LABEL_SIZE + 2;
};

export function columnGap(layout: HeatmapLayout): number {
  return layout.isSlanted ? SLANTED_GAP : widestLabel(layout.columnTexts) + wordGap(layout.columnTexts);
}

/** The cell under a point of the picture (CSS px); undefined outside the cells. */
export function cellAt(layout: HeatmapLayout, x: number, y: number): Cell | undefined {
  const { plot, rows, columns } = layout;
  const column = Math.floor((x - plot.x) / layout.cellWidth);
  const row = Math.floor((y - plot.y) / layout.cellHeight);
  return row >= 0 && column >= 0 && row < rows && column < columns ? { row, column } : undefined;
}

/** The layout of the separate column as a heatmap; undefined without such a column. */
export const asideLayout = (layout: HeatmapLayout): HeatmapLayout | undefined =>
  layout.aside && { ...layout, plot: layout.aside, aside: undefined, columns: 1, cellWidth: layout.aside.width };

export function cellBox(layout: HeatmapLayout, { row, column }: Cell): Box {
  return {
    x: layout.plot.x + column * layout.cellWidth,
    y: layout.plot.y + row * layout.cellHeight,
    width: layout.cellWidth,
    height: layout.cellHeight,
  };
}
