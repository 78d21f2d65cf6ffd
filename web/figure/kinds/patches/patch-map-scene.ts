// Draws a heatmap with one value per image patch, such as the attention weights of the selected patch.
import { colorOf, colorScaleOf, paint } from '../../../charts/color.ts';
import { entryAt, isIndex } from '../../../charts/entry-at.ts';
import type { Grid } from '../../../charts/grid.ts';
import { colorBar } from '../../../charts/heatmap/color-bar.ts';
import { formatNumber, formatRange } from '../../../charts/number.ts';
import type { Box, Mark, Theme } from '../../../charts/picture.ts';
import { type Cursor, type Scene, stepIndex } from '../../../charts/scene.ts';
import { LABEL_SIZE, shorten, textWidth } from '../../../charts/text-metrics.ts';

export interface PatchSquare {
  readonly plot: Box;
  readonly patchesPerSide: number;
  readonly patchSide: number;
}

const TOP_MARGIN = 24;
/** Width in px below which a heading may have two lines. */
const NARROW_WIDTH = 240;
const HEADING_SIZE = 12;
const LINE_HEIGHT = 16;

export function layoutPatchSquare(width: number, patchesPerSide: number): PatchSquare {
  const availableWidth = Math.max(patchesPerSide, width - 2);
  const patchSide = availableWidth / patchesPerSide >= 4 ? Math.floor(availableWidth / patchesPerSide) : availableWidth / patchesPerSide;
  return {
    plot: {
      x: 1,
      y: width < NARROW_WIDTH ? TOP_MARGIN + LINE_HEIGHT : TOP_MARGIN,
      width: patchSide * patchesPerSide,
      height: patchSide * patchesPerSide,
    },
    patchesPerSide,
    patchSide,
  };
}

export const isPatch = ({ patchesPerSide }: PatchSquare, index: number | undefined): index is number =>
  isIndex(index, patchesPerSide * patchesPerSide);

export function patchBox({ plot, patchesPerSide, patchSide }: PatchSquare, index: number): Box {
  return {
    x: plot.x + (index % patchesPerSide) * patchSide,
    y: plot.y + Math.floor(index / patchesPerSide) * patchSide,
    width: patchSide,
    height: patchSide,
  };
}

export function headingMarks({ plot }: PatchSquare, text: string): Mark[] {
  const fitsSquare = (part: string): boolean => textWidth(part, HEADING_SIZE, true) <= plot.width;
  const words = text.split(' ');
  let firstLineWordCount = words.length;
  while (plot.y > TOP_MARGIN && firstLineWordCount > 1 && !fitsSquare(words.slice(0, firstLineWordCount).join(' ')))
    firstLineWordCount -= 1;
  const lines = [words.slice(0, firstLineWordCount), words.slice(firstLineWordCount)].filter(({ length }) => length > 0);
  return lines.map((line, index) => ({
    kind: 'text',
    tone: 'ink',
    bold: true,
    size: HEADING_SIZE,
    x: plot.x,
    y: plot.y - 14 - LINE_HEIGHT * (lines.length - 1 - index),
    text: shorten(line.join(' '), plot.width, HEADING_SIZE, true),
  }));
}

/** Outlines a patch, with a halo so that the outline is visible on any colour. */
export function patchOutline(square: PatchSquare, index: number, tone: 'ink' | 'cursor', key: string): Mark[] {
  const { x, y, width, height } = patchBox(square, index);
  const box = { x: x - 1, y: y - 1, width: width + 2, height: height + 2, outline: true } as const;
  return [
    { kind: 'rect', tone: 'halo', key: `${key}-halo`, ...box, stroke: 5 },
    { kind: 'rect', tone, key, ...box, stroke: tone === 'cursor' ? 2.5 : 1.5 },
  ];
}

export function findPatchAt({ plot, patchesPerSide, patchSide }: PatchSquare, x: number, y: number): number | undefined {
  const column = Math.floor((x - plot.x) / patchSide);
  const row = Math.floor((y - plot.y) / patchSide);
  return row >= 0 && column >= 0 && row < patchesPerSide && column < patchesPerSide ? row * patchesPerSide + column : undefined;
}

export function movePatchCursor({ patchesPerSide }: PatchSquare, cursor: Cursor, axis: string, columns: number, rows: number): Cursor {
  const current = cursor[axis];
  if (current === undefined) return { ...cursor, [axis]: 0 };
  const index = Math.max(0, Math.min(patchesPerSide * patchesPerSide - 1, Math.trunc(current)));
  const row = stepIndex(Math.floor(index / patchesPerSide), rows, patchesPerSide);
  return { ...cursor, [axis]: row * patchesPerSide + stepIndex(index % patchesPerSide, columns, patchesPerSide) };
}

export interface PatchMapSceneSpec {
  /** Each row has one value per patch. With `rowAxis`, there is one row per selectable patch, otherwise one row. */
  readonly grid: Grid;
  readonly patchesPerSide: number;
  readonly rowAxis?: string | undefined;
  /** Row to draw when the cursor selects none. Default: 0. */
  readonly chosenRow?: number | undefined;
  readonly cursorAxis: string;
  readonly quantity: string;
  /** Returns the domain of the colour scale for a row. */
  readonly getDomain: (row: number) => readonly [number, number];
  readonly title: (row: number) => string;
  readonly width: number;
  readonly theme: Theme;
}

export function patchMapScene({
  grid,
  patchesPerSide,
  rowAxis,
  chosenRow = 0,
  cursorAxis,
  quantity,
  getDomain,
  title,
  width,
  theme,
}: PatchMapSceneSpec): Scene {
  const square = layoutPatchSquare(width, patchesPerSide);
  const { plot } = square;
  const colors = colorScaleOf('sequential', grid.data, theme);
  const scaleFor = (row: number) => ({ ...colors, domain: getDomain(row) });
  const getRowValues = (row: number): Float32Array => grid.data.subarray(row * grid.columns, (row + 1) * grid.columns);
  const isSelectableRow = (row: number | undefined): row is number => rowAxis !== undefined && isPatch(square, row) && row < grid.rows;
  const colorBarFor = (row: number, value?: number) =>
    colorBar({
      scale: scaleFor(row),
      theme,
      x: plot.x,
      y: plot.y + plot.height + 14,
      width: Math.max(40, plot.width * 0.5),
      caption: shorten(
        value === undefined ? quantity : `${quantity} ${formatNumber(value)}`,
        plot.width * 0.5 - 14,
        LABEL_SIZE,
        value !== undefined,
      ),
      isHighlighted: value !== undefined,
      value,
    });
  // The displayed row. Pointing at a patch in this map selects a column and keeps the row.
  let displayedRow = chosenRow;
  let cachedRow: { readonly row: number; readonly marks: readonly Mark[] } | undefined;
  /** Returns marks that draw `row` over the map of the chosen row. Caches the marks of the last row. */
  const rowMarks = (row: number): readonly Mark[] => {
    if (cachedRow?.row === row) return cachedRow.marks;
    const scale = scaleFor(row);
    const cells = Array.from(getRowValues(row), (value, index): Mark => {
      const color = colorOf(scale, value);
      const { x, y, width: cellWidth, height } = patchBox(square, index);
      // Cells overlap by half a pixel to hide seams.
      return { kind: 'rect', tone: 'muted', x, y, width: cellWidth + 0.5, height: height + 0.5, ...(color ? { color } : {}) };
    });
    const marks: Mark[] = [
      ...cells,
      { kind: 'rect', tone: 'halo', x: 0, y: 0, width: plot.width, height: plot.y - 4 },
      ...headingMarks(square, title(row)),
      // Covers the labels of the chosen row's colour bar.
      { kind: 'rect', tone: 'halo', x: 0, y: plot.y + plot.height + 23, width: plot.width + 1, height: 18 },
      ...colorBarFor(row).marks,
    ];
    cachedRow = { row, marks };
    return marks;
  };
  const chosenBar = colorBarFor(chosenRow);
  const values = getRowValues(chosenRow);
  const { marks, rasters } = chosenBar;
  return {
    picture: {
      width: Math.max(1, width),
      height: Math.ceil(plot.y + plot.height + 44),
      title: title(chosenRow),
      description: `${values.length} patches, ${quantity} ${formatRange(Math.min(...values), Math.max(...values))}.`,
      rasters: [
        {
          key: 'map',
          ...plot,
          columns: patchesPerSide,
          rows: patchesPerSide,
          rgba: paint({ rows: patchesPerSide, columns: patchesPerSide, data: values }, scaleFor(chosenRow), theme),
        },
        ...rasters,
      ],
      marks: [
        ...headingMarks(square, title(chosenRow)),
        { kind: 'rect', tone: 'hairline', ...plot, outline: true },
        ...(rowAxis === undefined ? [] : patchOutline(square, chosenRow, 'ink', 'chosen')),
        ...marks,
      ],
    },
    overlay(cursor: Cursor) {
      const requestedRow = rowAxis === undefined ? undefined : cursor[rowAxis];
      const row = isSelectableRow(requestedRow) ? requestedRow : chosenRow;
      displayedRow = row;
      const overlayMarks: Mark[] = row === chosenRow ? [] : [...rowMarks(row)];
      if (isSelectableRow(requestedRow)) overlayMarks.push(...patchOutline(square, row, 'ink', 'row'));
      const patch = cursor[cursorAxis];
      if (!isPatch(square, patch)) return overlayMarks;
      const value = entryAt(getRowValues(row), patch);
      const highlightedValue = colorBarFor(row, value).marks.filter(({ key }) => key === 'bar-value');
      return [...overlayMarks, ...patchOutline(square, patch, 'cursor', 'pointed'), ...highlightedValue];
    },
    hit(x, y) {
      const patch = findPatchAt(square, x, y);
      if (patch === undefined) return undefined;
      return rowAxis === undefined ? { [cursorAxis]: patch } : { [rowAxis]: displayedRow, [cursorAxis]: patch };
    },
    step: (cursor, columns, rows) => movePatchCursor(square, cursor, cursorAxis, columns, rows),
  };
}
