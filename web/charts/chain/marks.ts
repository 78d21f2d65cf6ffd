// The marks of a chain: the name, cells and digits of each stage.

import { chooseReadableInk, colorScaleOf, divergingScale, paint } from '../color.ts';
import { entryAt } from '../entry-at.ts';
import type { Mark, Raster, Theme } from '../picture.ts';
import { LABEL_SIZE, shorten, textWidth } from '../text-metrics.ts';
import type { ChainSceneSpec, Stage } from './chain-scene.ts';
import { CELL_HEIGHT, CHAIN_TOP, type ChainLayout, formatCellNumber } from './layout.ts';

/** Scales the colours of a stage to its own range, so equal colours in two rows may mean different values. */
const paintStage = ({ data, scale }: Stage, theme: Theme) =>
  paint(
    { rows: 1, columns: data.length, data },
    scale === 'diverging' ? divergingScale(data, theme) : colorScaleOf(scale, data, theme),
    theme,
  );

export function stageRasters(stages: readonly Stage[], theme: Theme, { left, lineY, cellWidth, columnCount }: ChainLayout): Raster[] {
  return stages.map((stage, index) => ({
    key: `stage-${index}`,
    x: left,
    y: lineY(index),
    width: cellWidth * columnCount,
    height: CELL_HEIGHT,
    columns: columnCount,
    rows: 1,
    rgba: paintStage(stage, theme),
  }));
}

export function nameMarks(stages: readonly Stage[], { hasNamesAbove, left, width, lineY }: ChainLayout): Mark[] {
  return stages.flatMap(({ name, note }, index): Mark[] => {
    const y = lineY(index) + (hasNamesAbove ? -10 : CELL_HEIGHT / 2 - (note ? 7 : 0));
    if (hasNamesAbove) {
      const noteX = textWidth(name, LABEL_SIZE, true) + 10;
      return [
        { kind: 'text', tone: 'ink', bold: true, x: 0, y, text: name },
        { kind: 'text', tone: 'muted', x: noteX, y, text: shorten(note, width - noteX) },
      ];
    }
    return [
      { kind: 'text', tone: 'ink', bold: true, x: left - 10, y, text: name, anchor: 'end' },
      { kind: 'text', tone: 'muted', x: left - 10, y: y + 14, text: note, anchor: 'end' },
    ];
  });
}

/** Marks for the outlines of cells, the hatching of masked cells, and the digits that fit. */
export function cellMarks(stages: readonly Stage[], { theme, masked }: ChainSceneSpec, layout: ChainLayout): Mark[] {
  const { left, cellWidth, columnCount, hasDigits, lineY, columnCentre, formatValue } = layout;
  return stages.flatMap((stage, index): Mark[] => {
    const y = lineY(index);
    const hatchPath = Array.from(stage.data)
      .map((value, column) =>
        Number.isFinite(value) || cellWidth < 5
          ? ''
          : `M${left + column * cellWidth},${y + CELL_HEIGHT}L${left + (column + 1) * cellWidth},${y}`,
      )
      .join('');
    const box = { x: left, y, width: cellWidth * columnCount, height: CELL_HEIGHT };
    const rgba = hasDigits ? paintStage(stage, theme) : undefined;
    return [
      ...(hatchPath ? [{ kind: 'path', tone: 'hatch', d: hatchPath } as const] : []),
      { kind: 'rect', tone: 'hairline', ...box, outline: true },
      ...(rgba
        ? Array.from(stage.data).map(
            (value, column): Mark => ({
              kind: 'text',
              tone: 'ink',
              ...(Number.isFinite(value) ? { color: chooseReadableInk(rgba.subarray(4 * column, 4 * column + 3)) } : {}),
              anchor: 'middle',
              x: columnCentre(column),
              y: y + CELL_HEIGHT / 2,
              text: Number.isFinite(value) ? formatValue(value) : textWidth(masked) < cellWidth - 4 ? masked : '–',
            }),
          )
        : []),
    ];
  });
}

export const headingMark = ({ rowTitle, rowLabels }: ChainSceneSpec, index: number, width: number): Mark => ({
  kind: 'text',
  tone: 'ink',
  bold: true,
  size: 13,
  x: 0,
  y: 8,
  text: shorten(`${rowTitle} ${rowLabels[index] ?? ''}`, width * 0.7, 13, true),
});

/** Draws another row over the displayed one. Its cells are drawn as rectangles, because rasters are below all marks. */
export function otherRowMarks(spec: ChainSceneSpec, index: number, layout: ChainLayout): Mark[] {
  const { width, left, cellWidth, hasNamesAbove, lineY } = layout;
  const stages = spec.rows[index] ?? [];
  return [
    { kind: 'rect', tone: 'halo', x: 0, y: 0, width: width * 0.72, height: 18 },
    headingMark(spec, index, width),
    ...stages.flatMap((_, stage): Mark[] =>
      hasNamesAbove
        ? [{ kind: 'rect', tone: 'halo', x: 0, y: lineY(stage) - 18, width, height: 17 }]
        : [{ kind: 'rect', tone: 'halo', x: 0, y: lineY(stage) - 2, width: left - 2, height: CELL_HEIGHT + 6 }],
    ),
    ...nameMarks(stages, layout),
    ...stages.flatMap((stage, line) => {
      const rgba = paintStage(stage, spec.theme);
      return Array.from(stage.data, (_, column): Mark => {
        const color = `#${[...rgba.subarray(4 * column, 4 * column + 3)].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
        return {
          kind: 'rect',
          tone: 'halo',
          color,
          x: left + column * cellWidth,
          y: lineY(line),
          width: cellWidth + 0.5,
          height: CELL_HEIGHT,
        };
      });
    }),
    ...cellMarks(stages, spec, layout),
  ];
}

/** Marks for the column at the cursor. If the cells are too small for digits, the values are shown below them. */
export function columnMarks(stages: readonly Stage[], column: number, spec: ChainSceneSpec, layout: ChainLayout): Mark[] {
  const { width, left, cellWidth, hasDigits, lineY, columnCentre } = layout;
  const x = left + column * cellWidth;
  const name = entryAt(spec.columnLabels, column);
  const nameWidth = textWidth(name, LABEL_SIZE, true);
  const labelX = Math.max(nameWidth / 2, Math.min(width - nameWidth / 2, columnCentre(column)));
  const labelMarks: Mark[] = [
    { kind: 'rect', tone: 'halo', x: labelX - nameWidth / 2 - 4, y: CHAIN_TOP - 22, width: nameWidth + 8, height: 16 },
    { kind: 'text', tone: 'cursor', bold: true, x: labelX, y: CHAIN_TOP - 14, text: name, anchor: 'middle' },
  ];
  const cursorCellMarks = stages.flatMap(({ data }, index): Mark[] => {
    const y = lineY(index);
    const outline: Mark[] = [
      { kind: 'rect', tone: 'halo', x: x - 1, y: y - 1, width: cellWidth + 2, height: CELL_HEIGHT + 2, outline: true, stroke: 4 },
      { kind: 'rect', tone: 'cursor', x, y, width: Math.max(2, cellWidth), height: CELL_HEIGHT, outline: true, stroke: 2 },
    ];
    if (hasDigits) return outline;
    const value = entryAt(data, column);
    const text = Number.isFinite(value) ? formatCellNumber(value) : spec.masked;
    const valueWidth = textWidth(text, LABEL_SIZE, true);
    const labelX = Math.max(left + valueWidth / 2, Math.min(width - valueWidth / 2 - 2, columnCentre(column)));
    return [
      ...outline,
      { kind: 'rect', tone: 'halo', x: labelX - valueWidth / 2 - 2, y: y + CELL_HEIGHT + 1, width: valueWidth + 4, height: 14 },
      { kind: 'text', tone: 'cursor', bold: true, x: labelX, y: y + CELL_HEIGHT + 8, text, anchor: 'middle' },
    ];
  });
  return [...labelMarks, ...cursorCellMarks];
}
