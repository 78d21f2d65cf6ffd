// Shows the matrices of all heads as small maps in rows, with a common colour scale. Users select one head.
import { colorScaleOf, paint, type ScaleKind } from '../color.ts';
import { fitColumns } from '../compose.ts';
import { countWithNoun } from '../english.ts';
import type { Grid } from '../grid.ts';
import type { Box, Mark, Theme } from '../picture.ts';
import { type Cursor, type Scene, stepIndex } from '../scene.ts';
import { LABEL_SIZE, maxTextWidth, shorten } from '../text-metrics.ts';

const strings = {
  name: (head: number) => `head ${head}`,
  description: (heads: number, selectedHead: number) => `Small maps of ${countWithNoun(heads, 'head')}; head ${selectedHead} is selected.`,
} as const;

export interface HeadMapsSpec {
  /** One matrix per head, all of the same size. */
  readonly maps: readonly Grid[];
  /** A separate column to the left of each head's map, with one value per row. */
  readonly asideColumns?: readonly Float32Array[] | undefined;
  readonly scale: ScaleKind;
  readonly range: readonly [lo: number, hi: number];
  /** The index of the head whose large map is beside these maps. */
  readonly enlargedHead: number;
  /** Indices of other heads that are outlined. */
  readonly outlinedHeads?: readonly number[] | undefined;
  readonly crossedHeads?: readonly number[] | undefined;
  readonly title: string;
  /**
   * The heading of each layer, above the row of its maps, if the model has several layers. Indices on the head axis count the heads of all layers.
   */
  readonly layers?: readonly string[] | undefined;
  readonly headAxis: string;
  readonly rowAxis: string;
  readonly columnAxis: string;
  readonly width: number;
  readonly maxHeight: number;
  readonly theme: Theme;
}

const [MAX_SIDE, MIN_SIDE] = [112, 22];
const MAP_GAP = 10;
const HEADING_HEIGHT = 22;
/** The height of a map's name in px, including space for the outline of the map. */
const NAME_HEIGHT = 17;
const LAYER_HEADING_HEIGHT = 20;
/** The gap between the separate column and the map, and the minimum width of the column, in px. */
const ASIDE_SIZE = { gap: 2, minWidth: 3 };
const OUTLINE_SPACE = 3;

type SizeLimits = Pick<HeadMapsSpec, 'width' | 'maxHeight'>;

/**
 * Finds the largest side length at which all maps fit. If `layers` is positive, it is the number of rows, each with a heading of `headingHeight` px.
 * Otherwise, any number of rows is allowed.
 */
function fitMaps(
  count: number,
  { width, maxHeight }: SizeLimits,
  layers: number,
  headingHeight: number,
): { readonly side: number; readonly columns: number } {
  if (layers > 0) {
    const columns = Math.ceil(count / layers);
    const sideByWidth = (width + MAP_GAP) / columns - MAP_GAP;
    const sideByHeight = (maxHeight + MAP_GAP - HEADING_HEIGHT) / layers - NAME_HEIGHT - MAP_GAP - headingHeight;
    return { side: Math.floor(Math.max(MIN_SIDE, Math.min(MAX_SIDE, sideByWidth, sideByHeight))), columns };
  }
  let bestFit = { side: MIN_SIDE, columns: fitColumns(count, width, MIN_SIDE, MAP_GAP).columns };
  for (let side = MIN_SIDE; side <= Math.min(MAX_SIDE, width); side += 2) {
    const { columns } = fitColumns(count, width, side, MAP_GAP);
    if (HEADING_HEIGHT + Math.ceil(count / columns) * (side + NAME_HEIGHT + MAP_GAP) > maxHeight + MAP_GAP) break;
    // Balances the rows, so that all except the last have the same number of maps.
    bestFit = { side, columns: Math.ceil(count / Math.ceil(count / columns)) };
  }
  return bestFit;
}

export function headMapsScene(spec: HeadMapsSpec): Scene {
  const { maps, enlargedHead, headAxis, rowAxis, columnAxis, theme, layers = [], outlinedHeads = [], crossedHeads = [] } = spec;
  const headingHeight = layers.length > 0 ? LAYER_HEADING_HEIGHT : 0;
  const mapSpace = { width: spec.width - 2 * OUTLINE_SPACE, maxHeight: spec.maxHeight };
  const { side, columns } = fitMaps(maps.length, mapSpace, layers.length, headingHeight);
  const pitch = headingHeight + side + NAME_HEIGHT + MAP_GAP;
  const { rows: rowCount = 1, columns: columnCount = 1 } = maps[0] ?? {};
  const numberInRow = (head: number): number => (layers.length > 0 ? head % columns : head) + 1;
  const fullNames = maps.map((_, head) => strings.name(numberInRow(head)));
  const names = maxTextWidth(fullNames, LABEL_SIZE, true) <= side ? fullNames : maps.map((_, head) => String(numberInRow(head)));
  const mapBox = (head: number): Box => ({
    x: (head % columns) * (side + MAP_GAP) + OUTLINE_SPACE,
    y: HEADING_HEIGHT + Math.floor(head / columns) * pitch + headingHeight + NAME_HEIGHT,
    width: side,
    height: side,
  });
  const asideWidth = spec.asideColumns ? Math.max(ASIDE_SIZE.minWidth, Math.round((side - ASIDE_SIZE.gap) / (columnCount + 1))) : 0;
  const mapOffset = asideWidth > 0 ? asideWidth + ASIDE_SIZE.gap : 0;
  /** The part of a map's box that contains the cells. */
  const cellsBox = (head: number): Box => {
    const box = mapBox(head);
    return { ...box, x: box.x + mapOffset, width: box.width - mapOffset };
  };
  const scale = { ...colorScaleOf(spec.scale, [0], theme), domain: spec.range };
  const nameMark = (head: number, tone: 'muted' | 'ink' | 'cursor', isBold: boolean): Mark => {
    const { x, y } = mapBox(head);
    return { kind: 'text', tone, bold: isBold, x, y: y - 9, text: names[head] as string };
  };
  const outlineMark = (box: Box, tone: 'accent' | 'hairline' | 'cursor' | 'halo', stroke: number): Mark => ({
    kind: 'rect',
    tone,
    x: box.x - stroke / 2,
    y: box.y - stroke / 2,
    width: box.width + stroke,
    height: box.height + stroke,
    outline: true,
    stroke,
  });
  const crossMarks = ({ x, y }: Box): Mark[] => [
    { kind: 'line', tone: 'ink', x1: x, y1: y, x2: x + side, y2: y + side, stroke: 3 },
    { kind: 'line', tone: 'ink', x1: x, y1: y + side, x2: x + side, y2: y, stroke: 3 },
  ];
  const headOf = ({ [headAxis]: head }: Cursor): number | undefined =>
    head !== undefined && Number.isInteger(head) && head >= 0 && head < maps.length ? head : undefined;
  /** Marks for the cell at the cursor, or for the row if the cursor has no column. */
  const cursorCellMarks = (box: Box, cursor: Cursor): Mark[] => {
    const [row, column] = [cursor[rowAxis], cursor[columnAxis]];
    if (row === undefined || !(row >= 0 && row < rowCount) || (column !== undefined && !(column >= 0 && column < columnCount))) return [];
    const [width, height] = [box.width / (column === undefined ? 1 : columnCount), box.height / rowCount];
    const cell = { x: box.x + (column ?? 0) * width, y: box.y + row * height, width, height };
    return [outlineMark(cell, 'halo', 3), outlineMark(cell, 'cursor', 1.5)];
  };

  return {
    picture: {
      width: spec.width,
      height: HEADING_HEIGHT + Math.ceil(maps.length / columns) * pitch - MAP_GAP + 4,
      title: spec.title,
      description: strings.description(maps.length, enlargedHead + 1),
      rasters: [
        ...maps.map((grid, head) => ({
          key: `head-${head}`,
          ...cellsBox(head),
          columns: columnCount,
          rows: rowCount,
          rgba: paint(grid, scale, theme),
        })),
        ...(spec.asideColumns ?? []).map((data, head) => ({
          key: `aside-${head}`,
          ...mapBox(head),
          width: asideWidth,
          columns: 1,
          rows: rowCount,
          rgba: paint({ rows: rowCount, columns: 1, data }, scale, theme),
        })),
      ],
      marks: [
        { kind: 'text', tone: 'ink', x: 0, y: 7, text: shorten(spec.title, spec.width) },
        ...layers.map(
          (text, row): Mark => ({ kind: 'text', tone: 'ink', x: OUTLINE_SPACE, y: HEADING_HEIGHT + row * pitch + headingHeight - 9, text }),
        ),
        ...maps.flatMap((_, head) => [
          nameMark(head, head === enlargedHead ? 'ink' : 'muted', head === enlargedHead),
          head === enlargedHead || outlinedHeads.includes(head)
            ? outlineMark(mapBox(head), 'accent', 2.5)
            : outlineMark(mapBox(head), 'hairline', 1),
        ]),
        ...crossedHeads.flatMap((head) => crossMarks(mapBox(head))),
      ],
    },
    overlay(cursor) {
      const head = headOf(cursor);
      const cells = maps.flatMap((_, at) => cursorCellMarks(cellsBox(at), cursor));
      return head === undefined ? cells : [...cells, outlineMark(mapBox(head), 'cursor', 2.5), nameMark(head, 'cursor', true)];
    },
    hit(x, y) {
      const head = maps.findIndex((_, at) => {
        const box = mapBox(at);
        return x >= box.x && x < box.x + side && y >= box.y - NAME_HEIGHT && y < box.y + side;
      });
      if (head < 0) return undefined;
      const box = mapBox(head);
      const row = Math.floor(((y - box.y) / side) * rowCount);
      const cells = cellsBox(head);
      const column = Math.floor(((x - cells.x) / cells.width) * columnCount);
      if (row < 0) return { [headAxis]: head };
      return column < 0 ? { [headAxis]: head, [rowAxis]: row } : { [headAxis]: head, [rowAxis]: row, [columnAxis]: column };
    },
    step: (cursor, right, below) => ({ ...cursor, [headAxis]: stepIndex(headOf(cursor), right + below * columns, maps.length) }),
  };
}
