// One row of numbers on its way through some stages: a line of cells for each stage, the digits in the cells, all columns aligned.

import { shownLabels } from './chain-labels.ts';
import { divergingScale, paint, readable, scaleOf } from './color.ts';
import { fittedNumber } from './fitted-number.ts';
import { formatNumber } from './number.ts';
import type { Mark, Raster, Theme } from './picture.ts';
import { type Scene, stepped } from './scene.ts';
import { LABEL, shorten, textWidth, widest } from './text-metrics.ts';

export interface Stage {
  /** What stands in the cells. */
  readonly name: string;
  /** What is done to the line above, such as '× 0.250'. */
  readonly note: string;
  readonly scale: 'diverging' | 'sequential';
  /** A number for each column; one that is not finite is masked. */
  readonly data: Float32Array;
}

export interface ChainSceneSpec {
  /** For each row that can be chosen its stages; undefined for rows that are not there. */
  readonly rows: readonly (readonly Stage[] | undefined)[];
  readonly rowLabels: readonly string[];
  /** The row of the picture; the cursor may choose another one. */
  readonly row: number;
  readonly columnLabels: readonly string[];
  /** The cursor at the first column; default: 0. */
  readonly firstColumn?: number | undefined;
  readonly rowAxis: string;
  readonly columnAxis: string;
  /** Before the label of the row: 'query'. */
  readonly rowTitle: string;
  readonly columnTitle: string;
  readonly title: string;
  readonly description: string;
  readonly masked: string;
  readonly width: number;
  readonly maxHeight?: number | undefined;
  readonly theme: Theme;
}

/** Counts, such as distances and rows, without the zeros that measured numbers have. */
const digitsOf = (value: number): string => formatNumber(value, Number.isInteger(value) ? { short: true, digits: 5 } : {});

const CELL = 30;
const PITCH = 46;
/** The least room between the cells of two stages, px. */
const LEAST_GAP = 9;
const TOP = 56;
/** Wider cells would tear the digits of a column apart from their neighbours. */
const WIDEST = 110;

export function chainScene(spec: ChainSceneSpec): Scene {
  const { rows, row, columnLabels, firstColumn = 0, rowAxis, columnAxis, theme } = spec;
  const stages = rows[row] ?? [];
  const width = Math.max(1, spec.width);
  const count = columnLabels.length;
  const every = rows.flatMap((one) => one ?? []);
  const naming =
    Math.max(
      widest(
        every.map(({ name }) => name),
        LABEL,
        true,
      ),
      widest(every.map(({ note }) => note)),
    ) + 18;
  // Beside the cells, or above them where that leaves too little.
  const above = naming > width * 0.34;
  const left = above ? 0 : Math.ceil(naming);
  const names = above ? 12 : 0;
  const room = Math.floor(((spec.maxHeight ?? Number.POSITIVE_INFINITY) - TOP) / Math.max(1, stages.length));
  const pitch = Math.max(CELL + LEAST_GAP + names, Math.min(PITCH + names, room));
  const cell = Math.min(WIDEST, (width - left - 1) / Math.max(1, count));
  const across = cell * count;
  const height = TOP + stages.length * pitch;
  const lineY = (stage: number): number => TOP + stage * pitch + (above ? 18 : 0);
  const inCell = (value: number): string => (Number.isInteger(value) ? digitsOf(value) : fittedNumber(value, cell - 6, 1));
  const texts = every.flatMap(({ data }) => Array.from(data, (value) => (Number.isFinite(value) ? inCell(value) : '')));
  const digits = cell >= 30 && widest(texts) <= cell - 4;
  const middle = (column: number): number => left + (column + 0.5) * cell;

  /** Of the row's own numbers: other rows have other ranges, which the digits say. */
  const painted = ({ data, scale }: Stage) =>
    paint(
      { rows: 1, columns: data.length, data },
      scale === 'diverging' ? divergingScale(data, theme) : scaleOf(scale, data, theme),
      theme,
    );

  function rasters(one: readonly Stage[]): Raster[] {
    return one.map((stage, index) => ({
      key: `stage-${index}`,
      x: left,
      y: lineY(index),
      width: across,
      height: CELL,
      columns: count,
      rows: 1,
      rgba: painted(stage),
    }));
  }

  function words(one: readonly Stage[]): Mark[] {
    return one.flatMap(({ name, note }, index): Mark[] => {
      const y = lineY(index) + (above ? -10 : CELL / 2 - (note ? 7 : 0));
      if (above) {
        const beside = textWidth(name, LABEL, true) + 10;
        return [
          { kind: 'text', tone: 'ink', bold: true, x: 0, y, text: name },
          { kind: 'text', tone: 'muted', x: beside, y, text: shorten(note, width - beside) },
        ];
      }
      return [
        { kind: 'text', tone: 'ink', bold: true, x: left - 10, y, text: name, anchor: 'end' },
        { kind: 'text', tone: 'muted', x: left - 10, y: y + 14, text: note, anchor: 'end' },
      ];
    });
  }

  const cells = (one: readonly Stage[]): Mark[] =>
    one.flatMap((stage, index): Mark[] => {
      const y = lineY(index);
      const hatched = Array.from(stage.data)
        .map((value, column) =>
          Number.isFinite(value) || cell < 5 ? '' : `M${left + column * cell},${y + CELL}L${left + (column + 1) * cell},${y}`,
        )
        .join('');
      const box = { x: left, y, width: across, height: CELL };
      const rgba = digits ? painted(stage) : undefined;
      return [
        ...(hatched ? [{ kind: 'path', tone: 'hatch', d: hatched } as const] : []),
        { kind: 'rect', tone: 'hairline', ...box, outline: true },
        ...(rgba
          ? Array.from(stage.data).map(
              (value, column): Mark => ({
                kind: 'text',
                tone: 'ink',
                ...(Number.isFinite(value) ? { color: readable(rgba.subarray(4 * column, 4 * column + 3)) } : {}),
                anchor: 'middle',
                x: middle(column),
                y: y + CELL / 2,
                text: Number.isFinite(value) ? inCell(value) : textWidth(spec.masked) < cell - 4 ? spec.masked : '–',
              }),
            )
          : []),
      ];
    });

  const heading = (index: number): Mark => ({
    kind: 'text',
    tone: 'ink',
    bold: true,
    size: 13,
    x: 0,
    y: 8,
    text: shorten(`${spec.rowTitle} ${spec.rowLabels[index] ?? ''}`, width * 0.7, 13, true),
  });
  const labels = shownLabels(columnLabels, cell);
  const marks: Mark[] = [
    heading(row),
    { kind: 'text', tone: 'ink', x: width, y: 8, text: `${spec.columnTitle} →`, anchor: 'end' },
    ...labels.map(({ column, text }): Mark => ({ kind: 'text', tone: 'muted', x: middle(column), y: TOP - 14, text, anchor: 'middle' })),
    ...words(stages),
    ...cells(stages),
  ];

  /** Another row over that of the picture: its colours as rectangles, since rasters lie below all marks. */
  function other(index: number): Mark[] {
    const one = rows[index] as readonly Stage[];
    return [
      { kind: 'rect', tone: 'halo', x: 0, y: 0, width: width * 0.72, height: 18 },
      heading(index),
      ...one.flatMap((_, stage): Mark[] =>
        above
          ? [{ kind: 'rect', tone: 'halo', x: 0, y: lineY(stage) - 18, width, height: 17 }]
          : [{ kind: 'rect', tone: 'halo', x: 0, y: lineY(stage) - 2, width: left - 2, height: CELL + 6 }],
      ),
      ...words(one),
      ...one.flatMap((stage, line) => {
        const rgba = painted(stage);
        return Array.from(stage.data, (_, column): Mark => {
          const color = `#${[...rgba.subarray(4 * column, 4 * column + 3)].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
          // Half a pixel wider, so that no seams are seen.
          return { kind: 'rect', tone: 'halo', color, x: left + column * cell, y: lineY(line), width: cell + 0.5, height: CELL };
        });
      }),
      ...cells(one),
    ];
  }

  return {
    picture: { width, height, title: spec.title, description: spec.description, rasters: rasters(stages), marks },
    overlay({ [rowAxis]: chosen, [columnAxis]: at }) {
      const column = at === undefined ? undefined : at - firstColumn;
      const over: Mark[] = [];
      const known = chosen !== undefined && rows[chosen] !== undefined;
      if (known && chosen !== row) over.push(...other(chosen));
      if (column === undefined || !(column >= 0 && column < count)) {
        return known ? [...over, { kind: 'line', tone: 'cursor', x1: 0, y1: 18, x2: Math.min(width, 120), y2: 18, stroke: 2 }] : over;
      }
      const x = left + column * cell;
      const name = columnLabels[column] as string;
      const wide = textWidth(name, LABEL, true);
      const center = Math.max(wide / 2, Math.min(width - wide / 2, middle(column)));
      over.push(
        { kind: 'rect', tone: 'halo', x: center - wide / 2 - 4, y: TOP - 22, width: wide + 8, height: 16 },
        { kind: 'text', tone: 'cursor', bold: true, x: center, y: TOP - 14, text: name, anchor: 'middle' },
      );
      const shown = (known ? rows[chosen] : stages) ?? [];
      shown.forEach(({ data }, index) => {
        const y = lineY(index);
        over.push(
          { kind: 'rect', tone: 'halo', x: x - 1, y: y - 1, width: cell + 2, height: CELL + 2, outline: true, stroke: 4 },
          { kind: 'rect', tone: 'cursor', x, y, width: Math.max(2, cell), height: CELL, outline: true, stroke: 2 },
        );
        if (digits) return;
        // Cells without room for digits: those at the cursor stand below it.
        const value = data[column] as number;
        const text = Number.isFinite(value) ? digitsOf(value) : spec.masked;
        const room = textWidth(text, LABEL, true);
        const below = Math.max(left + room / 2, Math.min(width - room / 2 - 2, middle(column)));
        over.push(
          { kind: 'rect', tone: 'halo', x: below - room / 2 - 2, y: y + CELL + 1, width: room + 4, height: 14 },
          { kind: 'text', tone: 'cursor', bold: true, x: below, y: y + CELL + 8, text, anchor: 'middle' },
        );
      });
      return over;
    },
    hit(px, py) {
      const column = Math.floor((px - left) / cell);
      if (py < TOP - 24 || py >= height || px < left || column >= count || stages.length === 0) return undefined;
      return { [columnAxis]: firstColumn + column };
    },
    step(cursor, right, down) {
      if (count === 0) return cursor;
      const from = cursor[columnAxis];
      const column = firstColumn + stepped(from === undefined ? undefined : from - firstColumn, right, count);
      const chosen = stepped(cursor[rowAxis] ?? row, down, rows.length);
      return { ...cursor, [columnAxis]: column, ...(down !== 0 && rows[chosen] ? { [rowAxis]: chosen } : {}) };
    },
  };
}
