// Shows positions as rows of dials and of binary digits, from fast to slow. A hand starts at twelve o'clock and rotates clockwise, so its tip is at
// (sine, cosine): two channels of a sinusoidal table.

import { countWithNoun, wholeNumber } from '../english.ts';
import { entryAt, isIndex } from '../entry-at.ts';
import type { Grid } from '../grid.ts';
import { selectLabelIndices } from '../heatmap/labels.ts';
import type { Mark } from '../picture.ts';
import { type Cursor, type Scene, stepIndex } from '../scene.ts';
import { LABEL_SIZE, maxTextWidth, shorten, textWidth } from '../text-metrics.ts';

const strings = {
  rows: (rows: number) => `${countWithNoun(rows, 'row')}.`,
  group: (heading: string, count: number) => `${heading}: ${wholeNumber.format(count)}`,
} as const;

interface Group {
  readonly heading: string;
  /** What the columns show: 'pair' or 'bit', for example. Cursors name the column by this key. */
  readonly axis: string;
  readonly columnLabels: readonly string[];
}

export interface Dials extends Group {
  readonly kind: 'dials';
  /** Coordinates of the hands' tips relative to the centres, in radii: sine to the right, cosine upwards. Shape: [rows, dials]. */
  readonly sine: Grid;
  readonly cosine: Grid;
}

export interface Digits extends Group {
  readonly kind: 'digits';
  /** Binary digits, 0 or 1. Shape: [rows, digits]. */
  readonly digits: Grid;
}

export interface ClocksSceneSpec {
  readonly groups: readonly (Dials | Digits)[];
  readonly rowLabels: readonly string[];
  readonly rowTitle: string;
  readonly rowAxis: string;
  readonly title: string;
  /** The maximum side of a dial or digit in CSS px; default: 34. */
  readonly maxDialSize?: number | undefined;
  readonly width: number;
  readonly maxHeight?: number | undefined;
}

const GROUP_GAP = 26;
const HEADING_GAP = 8;
const TOP_MARGIN = 40;
const MAX_CELL_SIZE = 34;
const MIN_CELL_SIZE = 9;

interface PlacedGroup {
  readonly group: Dials | Digits;
  readonly x: number;
  readonly count: number;
  readonly cellSize: number;
}

export function clocksScene(spec: ClocksSceneSpec): Scene {
  const { groups, rowLabels, rowAxis } = spec;
  const rows = rowLabels.length;
  const width = Math.max(1, spec.width);
  const left = Math.ceil(Math.max(maxTextWidth(rowLabels, LABEL_SIZE, true), textWidth(`${spec.rowTitle} ↓`))) + 14;
  const columnCounts = groups.map((group) => (group.kind === 'dials' ? group.sine.columns : group.digits.columns));
  const totalColumns = columnCounts.reduce((sum, count) => sum + count, 0);
  const availableCellSize = (width - left - GROUP_GAP * Math.max(0, groups.length - 1)) / Math.max(1, totalColumns);
  const maxCellSize = Math.max(MIN_CELL_SIZE, Math.min(spec.maxDialSize ?? MAX_CELL_SIZE, Math.floor(availableCellSize)));
  const cellSize =
    spec.maxHeight === undefined
      ? maxCellSize
      : Math.max(MIN_CELL_SIZE, Math.min(maxCellSize, Math.floor((spec.maxHeight - TOP_MARGIN - 6) / Math.max(1, rows))));
  // A heading that is wider than its columns shifts the next group, if there is space.
  let spareWidth = width - left - totalColumns * cellSize - GROUP_GAP * (groups.length - 1);
  let x = left;
  const placedGroups = groups.map((group, index): PlacedGroup => {
    const count = entryAt(columnCounts, index);
    const newGroup = { group, x, count, cellSize };
    const extraWidth = Math.max(0, Math.min(spareWidth, Math.ceil(textWidth(`${group.heading} →`)) + 16 - count * cellSize - GROUP_GAP));
    spareWidth -= extraWidth;
    x += count * cellSize + GROUP_GAP + extraWidth;
    return newGroup;
  });
  const bottom = TOP_MARGIN + rows * cellSize;
  const y = (row: number): number => TOP_MARGIN + (row + 0.5) * cellSize;

  const marks: Mark[] = [
    { kind: 'text', tone: 'ink', x: 0, y: 8, text: `${spec.rowTitle} ↓` },
    ...selectLabelIndices({ count: rows, pitch: cellSize, minDistance: LABEL_SIZE + 2 }).map(
      (row): Mark => ({ kind: 'text', tone: 'muted', x: left - 8, y: y(row), text: rowLabels[row] as string, anchor: 'end' }),
    ),
    ...placedGroups.flatMap((placedGroup, index) => [
      ...headingMarks(placedGroup, (placedGroups[index + 1]?.x ?? width + HEADING_GAP) - HEADING_GAP),
      ...groupMarks(placedGroup, rows, y),
    ]),
  ];

  const groupAt = (cursor: Cursor) => placedGroups.find(({ group, count }) => isIndex(cursor[group.axis], count));
  return {
    picture: {
      width,
      height: bottom + 6,
      title: spec.title,
      description: `${strings.rows(rows)} ${placedGroups.map(({ group, count }) => strings.group(group.heading, count)).join('; ')}.`,
      rasters: [],
      marks,
    },
    overlay(cursor) {
      const row = cursor[rowAxis];
      const highlightMarks: Mark[] = [];
      const addOutline = (box: { x: number; y: number; width: number; height: number }, stroke: number): void => {
        highlightMarks.push(
          { kind: 'rect', tone: 'halo', ...box, outline: true, stroke: stroke + 2 },
          { kind: 'rect', tone: 'cursor', ...box, outline: true, stroke },
        );
      };
      if (isIndex(row, rows)) {
        const text = rowLabels[row] as string;
        const labelWidth = textWidth(text, LABEL_SIZE, true);
        highlightMarks.push(
          { kind: 'rect', tone: 'halo', x: left - 12 - labelWidth, y: y(row) - 8, width: labelWidth + 6, height: 16 },
          { kind: 'text', tone: 'cursor', bold: true, x: left - 8, y: y(row), text, anchor: 'end' },
        );
        for (const placedGroup of placedGroups)
          addOutline(
            { x: placedGroup.x - 1, y: TOP_MARGIN + row * cellSize, width: placedGroup.count * cellSize + 2, height: cellSize },
            1.5,
          );
      }
      for (const placedGroup of placedGroups) {
        const column = cursor[placedGroup.group.axis];
        if (!isIndex(column, placedGroup.count)) continue;
        addOutline({ x: placedGroup.x + column * cellSize, y: TOP_MARGIN, width: cellSize, height: rows * cellSize }, 1.5);
        highlightMarks.push(...cursorLabel(placedGroup, column, width));
      }
      return highlightMarks;
    },
    hit(px, py) {
      const row = Math.floor((py - TOP_MARGIN) / cellSize);
      const placedGroup = placedGroups.find(({ x, count }) => px >= x && px < x + count * cellSize);
      if (!placedGroup || row < 0 || row >= rows) return undefined;
      return { [rowAxis]: row, [placedGroup.group.axis]: Math.floor((px - placedGroup.x) / cellSize) };
    },
    step(cursor, columns, down) {
      const placedGroup = groupAt(cursor) ?? placedGroups[0];
      if (!placedGroup || rows === 0 || placedGroup.count === 0) return cursor;
      const { [placedGroup.group.axis]: column, ...rest } = cursor;
      const nextCursor = { ...rest, [rowAxis]: stepIndex(cursor[rowAxis], down, rows) };
      // At the last column of a group, moves to the first column of the next group, and vice versa.
      const neighbourGroup = placedGroups[placedGroups.indexOf(placedGroup) + Math.sign(columns)];
      if (column !== undefined && neighbourGroup && neighbourGroup.count > 0 && !isIndex(column + columns, placedGroup.count))
        return { ...nextCursor, [neighbourGroup.group.axis]: columns > 0 ? 0 : neighbourGroup.count - 1 };
      return { ...nextCursor, [placedGroup.group.axis]: stepIndex(column, columns, placedGroup.count) };
    },
  };
}

const labelGap = ({ group }: PlacedGroup): number => maxTextWidth(group.columnLabels, LABEL_SIZE, true) + 6;

function headingMarks(placedGroup: PlacedGroup, rightEdge: number): Mark[] {
  const { group, x, count, cellSize } = placedGroup;
  const headingText = `${group.heading} →`;
  const maxHeadingWidth = rightEdge - x;
  return [
    {
      kind: 'text',
      tone: 'ink',
      x,
      y: 8,
      text: textWidth(headingText) <= maxHeadingWidth ? headingText : shorten(group.heading, maxHeadingWidth),
    },
    ...selectLabelIndices({ count, pitch: cellSize, minDistance: labelGap(placedGroup) }).map(
      (column): Mark => ({
        kind: 'text',
        tone: 'muted',
        x: x + (column + 0.5) * cellSize,
        y: TOP_MARGIN - 10,
        text: group.columnLabels[column] ?? '',
        anchor: 'middle',
      }),
    ),
  ];
}

function cursorLabel({ group, x, cellSize }: PlacedGroup, column: number, width: number): Mark[] {
  const text = group.columnLabels[column] ?? '';
  const halfWidth = textWidth(text, LABEL_SIZE, true) / 2 + 3;
  const labelX = Math.min(width - halfWidth, x + (column + 0.5) * cellSize);
  return [
    { kind: 'rect', tone: 'halo', x: labelX - halfWidth, y: TOP_MARGIN - 18, width: 2 * halfWidth, height: 16 },
    { kind: 'text', tone: 'cursor', bold: true, x: labelX, y: TOP_MARGIN - 10, text, anchor: 'middle' },
  ];
}

function groupMarks({ group, x, count, cellSize }: PlacedGroup, rows: number, y: (row: number) => number): Mark[] {
  const marks: Mark[] = [];
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < count; column++) {
      const cx = x + (column + 0.5) * cellSize;
      const cellIndex = row * count + column;
      if (group.kind === 'dials')
        marks.push(...dialMarks(cx, y(row), cellSize, entryAt(group.sine.data, cellIndex), entryAt(group.cosine.data, cellIndex)));
      else marks.push(...digitMarks(cx, y(row), cellSize, entryAt(group.digits.data, cellIndex)));
    }
  }
  return marks;
}

function dialMarks(x: number, y: number, cellSize: number, sine: number, cosine: number): Mark[] {
  const radius = cellSize / 2 - Math.max(1, cellSize * 0.08);
  const marks: Mark[] = [{ kind: 'circle', tone: 'hairline', cx: x, cy: y, r: radius, outline: true }];
  if (!Number.isFinite(sine) || !Number.isFinite(cosine)) return marks;
  const handLength = radius * 0.84;
  const tip = { x: x + handLength * sine, y: y - handLength * cosine };
  marks.push(
    { kind: 'line', tone: 'ink', x1: x, y1: y, x2: tip.x, y2: tip.y, stroke: cellSize < 14 ? 1 : 1.5 },
    { kind: 'circle', tone: 'accent', cx: tip.x, cy: tip.y, r: Math.max(1.5, cellSize * 0.09) },
  );
  return marks;
}

/** The marks of a digit. A 1 has a filled square, so that columns of ones stand out. */
function digitMarks(x: number, y: number, cellSize: number, value: number): Mark[] {
  const boxSize = cellSize - 3;
  const fontSize = Math.max(8, Math.min(12, cellSize - 3, Math.max(LABEL_SIZE, cellSize * 0.55)));
  const box = { x: x - boxSize / 2, y: y - boxSize / 2, width: boxSize, height: boxSize };
  const text = Number.isFinite(value) ? String(value) : '–';
  if (value === 0) return [{ kind: 'text', tone: 'muted', size: fontSize, x, y, text, anchor: 'middle' }];
  return [
    { kind: 'rect', tone: 'hairline', ...box },
    { kind: 'text', tone: 'ink', bold: true, size: fontSize, x, y, text, anchor: 'middle' },
  ];
}
