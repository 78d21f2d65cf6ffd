// Shows the stages of a computation on one row of a matrix. Each stage is a line of cells with digits, and all columns are aligned.

import type { Mark, Theme } from '../picture.ts';
import { type Scene, stepIndex } from '../scene.ts';
import { LABEL_SIZE, maxTextWidth, shorten } from '../text-metrics.ts';
import { CHAIN_TOP, chainLayout } from './layout.ts';
import { cellMarks, columnMarks, headingMark, nameMarks, otherRowMarks, stageRasters } from './marks.ts';

/** Column width in CSS px below which only some labels are shown. */
const MIN_LABEL_WIDTH = 26;

/** Selects and truncates the visible labels. In narrow columns, only every n-th column is labelled. */
function selectLabels(labels: readonly string[], columnWidth: number): readonly { readonly column: number; readonly text: string }[] {
  const labelInterval =
    columnWidth >= MIN_LABEL_WIDTH ? 1 : Math.ceil(Math.min(60, maxTextWidth(labels) + 12) / Math.max(1e-3, columnWidth));
  return labels.flatMap((label, column) =>
    column % labelInterval === 0 && (column + labelInterval <= labels.length || column === 0)
      ? [{ column, text: shorten(label, labelInterval * columnWidth - 6, LABEL_SIZE) }]
      : [],
  );
}

export interface Stage {
  readonly name: string;
  /** The operation that leads to this stage, such as '× 0.250'. */
  readonly note: string;
  readonly scale: 'diverging' | 'sequential';
  /** One value per column; non-finite values are masked. */
  readonly data: Float32Array;
}

export interface ChainSceneSpec {
  /** The stages of each row; undefined for rows that cannot be selected. */
  readonly rows: readonly (readonly Stage[] | undefined)[];
  readonly rowLabels: readonly string[];
  /** Index of the row that is displayed first; the cursor may select another. */
  readonly row: number;
  readonly columnLabels: readonly string[];
  /** The cursor index of the first column; default: 0. */
  readonly firstColumn?: number | undefined;
  readonly rowAxis: string;
  readonly columnAxis: string;
  /** The prefix of row labels, such as 'query'. */
  readonly rowTitle: string;
  readonly columnTitle: string;
  readonly title: string;
  readonly description: string;
  readonly masked: string;
  readonly width: number;
  readonly maxHeight?: number | undefined;
  readonly theme: Theme;
}

export function chainScene(spec: ChainSceneSpec): Scene {
  const { rows, row, columnLabels, firstColumn = 0, rowAxis, columnAxis, theme } = spec;
  const stages = rows[row] ?? [];
  const layout = chainLayout(spec);
  const { width, height, columnCount, left, cellWidth, columnCentre } = layout;
  const labels = selectLabels(columnLabels, cellWidth);
  const marks: Mark[] = [
    headingMark(spec, row, width),
    { kind: 'text', tone: 'ink', x: width, y: 8, text: `${spec.columnTitle} →`, anchor: 'end' },
    ...labels.map(
      ({ column, text }): Mark => ({ kind: 'text', tone: 'muted', x: columnCentre(column), y: CHAIN_TOP - 14, text, anchor: 'middle' }),
    ),
    ...nameMarks(stages, layout),
    ...cellMarks(stages, spec, layout),
  ];

  return {
    picture: { width, height, title: spec.title, description: spec.description, rasters: stageRasters(stages, theme, layout), marks },
    overlay({ [rowAxis]: selectedRow, [columnAxis]: at }) {
      const column = at === undefined ? undefined : at - firstColumn;
      const hasRow = selectedRow !== undefined && rows[selectedRow] !== undefined;
      const rowMarks = hasRow && selectedRow !== row ? otherRowMarks(spec, selectedRow, layout) : [];
      if (column === undefined || columnLabels[column] === undefined) {
        return hasRow
          ? [...rowMarks, { kind: 'line', tone: 'cursor', x1: 0, y1: 18, x2: Math.min(width, 120), y2: 18, stroke: 2 }]
          : rowMarks;
      }
      return [...rowMarks, ...columnMarks((hasRow ? rows[selectedRow] : stages) ?? [], column, spec, layout)];
    },
    hit(px, py) {
      const column = Math.floor((px - left) / cellWidth);
      if (py < CHAIN_TOP - 24 || py >= height || px < left || column >= columnCount || stages.length === 0) return undefined;
      return { [columnAxis]: firstColumn + column };
    },
    step(cursor, right, down) {
      if (columnCount === 0) return cursor;
      const cursorColumn = cursor[columnAxis];
      const column = firstColumn + stepIndex(cursorColumn === undefined ? undefined : cursorColumn - firstColumn, right, columnCount);
      const selectedRow = stepIndex(cursor[rowAxis] ?? row, down, rows.length);
      return { ...cursor, [columnAxis]: column, ...(down !== 0 && rows[selectedRow] ? { [rowAxis]: selectedRow } : {}) };
    },
  };
}
