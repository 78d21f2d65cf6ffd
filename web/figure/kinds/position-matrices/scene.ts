// Draws the matrix of each position as two arrows in a square (dial), and the scores of a query and a key at all pairs
// of positions. If scores depend only on the distance, every diagonal is constant.
import { composeScenes, fitColumns, translateMark } from '../../../charts/compose.ts';
import { entryAt } from '../../../charts/entry-at.ts';
import { matrixScene } from '../../../charts/heatmap/matrix-scene.ts';
import { formatNumber } from '../../../charts/number.ts';
import type { Box, Frame, Mark, Tone } from '../../../charts/picture.ts';
import { type Scene, sceneWithoutCursor } from '../../../charts/scene.ts';
import { TITLE_HEIGHT, withHeading } from '../../../charts/titled.ts';
import { wrapText } from '../../../charts/wrapped-text.ts';
import { isLowHeight } from '../../contract/kind.ts';
import { type Matrices, POSITIONS, scoreAt, toleranceOf } from './compute.ts';
import { strings } from './strings.ts';

/** Maximum absolute value of a matrix entry, so that arrows stay inside their dials. */
export const MAX_ENTRY = 1.75;
const GAP = 16;
const HEADING_HEIGHT = 24;
/** Minimum and maximum side of a dial, px. Dials in low figures may be smaller. */
const [MIN_SIDE, MAX_SIDE] = [128, 200];
const MAX_GRID_WIDTH = 290;
const MIN_DRAGGABLE_SIDE = 64;
/** Height of the text below the dials of a low figure, px. */
const TEXT_HEIGHT = 96;
const MIN_WIDTH_BESIDE = 640;
const ARROW_TONES: readonly [Tone, Tone] = ['accent', 'series-2'];

export interface Layout {
  readonly width: number;
  readonly height: number;
  readonly dials: readonly Box[];
}

/** Whether to draw the scores beside the dials: only in low figures that are wide enough. */
const fitsSideBySide = (width: number, maxHeight: number | undefined): maxHeight is number =>
  isLowHeight(maxHeight) && width >= MIN_WIDTH_BESIDE;

/**
 * Lays out the dials when the scores are beside them. Half a gap precedes the first dial, because its heading may be
 * wider than the dial.
 */
function sideBySideLayout(totalWidth: number, maxHeight: number): Layout {
  const width = totalWidth - MAX_GRID_WIDTH - 2 * GAP;
  const side = Math.max(
    MIN_DRAGGABLE_SIDE,
    Math.min(Math.floor((width - GAP * POSITIONS) / POSITIONS), maxHeight - HEADING_HEIGHT - TEXT_HEIGHT),
  );
  const dials = Array.from({ length: POSITIONS }, (_, position) => ({
    x: GAP / 2 + position * (side + GAP),
    y: HEADING_HEIGHT,
    width: side,
    height: side,
  }));
  return { width, height: side + HEADING_HEIGHT + GAP, dials };
}

export function layoutDials(width: number, maxHeight?: number): Layout {
  if (fitsSideBySide(width, maxHeight)) return sideBySideLayout(width, maxHeight);
  const columnFit = fitColumns(POSITIONS, width, MIN_SIDE, GAP);
  const columns = columnFit.columns === 3 ? 2 : columnFit.columns;
  const rows = POSITIONS / columns;
  const maxDialWidth = Math.floor((width - GAP * (columns - 1)) / columns);
  // Narrow figures have no height limit, so that arrows stay large enough to touch.
  const maxDialHeight = maxHeight === undefined || columns < POSITIONS ? MAX_SIDE : Math.floor(maxHeight / 2 / rows) - HEADING_HEIGHT - GAP;
  const side = Math.max(MIN_DRAGGABLE_SIDE, Math.min(MAX_SIDE, maxDialWidth, maxDialHeight));
  const left = Math.floor((width - columns * side - (columns - 1) * GAP) / 2);
  const dials = Array.from({ length: POSITIONS }, (_, position) => ({
    x: left + (position % columns) * (side + GAP),
    y: HEADING_HEIGHT + Math.floor(position / columns) * (side + HEADING_HEIGHT + GAP),
    width: side,
    height: side,
  }));
  return { width, height: rows * (side + HEADING_HEIGHT + GAP), dials };
}

/** Converts (x, y) in a dial's coordinates to px. */
export function tipOf({ x: left, y: top, width }: Box, x: number, y: number): readonly [number, number] {
  const unitLength = width / 2 / MAX_ENTRY;
  return [left + width / 2 + unitLength * x, top + width / 2 - unitLength * y];
}

function arrowMarks(dial: Box, x: number, y: number, tone: Tone): Mark[] {
  const [fromX, fromY] = tipOf(dial, 0, 0);
  const [toX, toY] = tipOf(dial, x, y);
  const length = Math.hypot(toX - fromX, toY - fromY);
  const line = { kind: 'line', tone, stroke: 3, x1: fromX, y1: fromY, x2: toX, y2: toY } as const;
  const [ux, uy] = length > 1 ? [(toX - fromX) / length, (toY - fromY) / length] : [0, 0];
  const at = (backward: number, aside: number): string =>
    `${(toX - backward * ux - aside * uy).toFixed(1)},${(toY - backward * uy + aside * ux).toFixed(1)}`;
  const head = { kind: 'path', tone, fill: true, d: `M${at(-3, 0)}L${at(10, 6)}L${at(10, -6)}Z` } as const;
  return length > 12 ? [line, head] : [line, { kind: 'circle', tone, cx: toX, cy: toY, r: 4 }];
}

function dialMarks({ dials }: Layout, { vectors }: Matrices): Mark[] {
  return dials.flatMap((dial, position): readonly Mark[] => {
    const [x, y] = tipOf(dial, 0, 0);
    const isFixed = position === 0;
    const label = { x, y: dial.y - HEADING_HEIGHT / 2, text: strings.position(position), anchor: 'middle' } as const;
    return [
      { kind: 'text', tone: isFixed ? 'muted' : 'ink', ...label },
      { kind: 'rect', tone: 'hairline', outline: true, ...dial },
      { kind: 'line', tone: 'hairline', x1: dial.x, x2: dial.x + dial.width, y1: y, y2: y },
      { kind: 'line', tone: 'hairline', x1: x, x2: x, y1: dial.y, y2: dial.y + dial.height },
      { kind: 'circle', tone: 'muted', outline: true, dashed: true, cx: x, cy: y, r: dial.width / 2 / MAX_ENTRY },
      // The second arrow is drawn first, so that both remain visible if they coincide.
      ...[1, 0].flatMap((column) => {
        const at = 2 * (2 * position + column);
        return arrowMarks(dial, entryAt(vectors.data, at), entryAt(vectors.data, at + 1), ARROW_TONES[column] as Tone);
      }),
    ];
  });
}

/** Returns a headline on whether scores depend only on the distance, and a sentence that gives the reason. */
export function verdictTexts(results: Matrices): readonly [string, string] {
  const { differingScores, vectors, residual } = results;
  if (residual > toleranceOf(results)) {
    const { first, second } = differingScores;
    // Uses as many digits as needed to distinguish the two scores.
    const formattedScores = (digits: number): readonly [string, string] =>
      [first, second].map(({ score }) => formatNumber(Math.abs(score) < 1e-7 ? 0 : score, { digits })) as [string, string];
    const [digits = 7] = [3, 4, 5, 6].filter((one) => formattedScores(one)[0] !== formattedScores(one)[1]);
    return [strings.twoScores(differingScores), strings.witness(differingScores, formattedScores(digits))];
  }
  const [x = 1, y = 0, otherX = 0, otherY = 1] = vectors.data.subarray(4, 8);
  const degrees = (Math.atan2(y, x) * 180) / Math.PI;
  if (x * otherY - y * otherX < 0) return [strings.oneScore, strings.flips];
  return [strings.oneScore, Math.abs(degrees) < 1e-3 ? strings.same : strings.rotates(formatNumber(degrees, { short: true }))];
}

function differenceOutlines(results: Matrices, box: (row: number, column: number) => Box): Mark[] {
  const { differingScores, residual } = results;
  if (residual <= toleranceOf(results)) return [];
  return [differingScores.first, differingScores.second].map(({ at: [row, column] }): Mark => {
    const { x, y, width, height } = box(row, column);
    return { kind: 'rect', tone: 'changed', outline: true, stroke: 3, x: x + 1.5, y: y + 1.5, width: width - 3, height: height - 3 };
  });
}

/** Returns the height of the score matrix in px, or undefined if it is square. */
function gridHeight(layout: Layout, isWide: boolean, isSideBySide: boolean, maxHeight: number | undefined): number | undefined {
  if (maxHeight === undefined || !(isWide || isSideBySide)) return undefined;
  return isSideBySide ? maxHeight - TITLE_HEIGHT : Math.max(120, maxHeight - layout.height - TITLE_HEIGHT);
}

export function matricesScene(results: Matrices, { width, maxHeight, theme }: Frame): Scene {
  const { scores, differingScores, maxAbsScore: largest } = results;
  const layout = layoutDials(width, maxHeight);
  const { query, key } = differingScores;
  const isSideBySide = fitsSideBySide(width, maxHeight);
  const isWide = width >= 560 && !isSideBySide;
  const gridWidth = Math.min(width, MAX_GRID_WIDTH);
  const cells = Float32Array.from({ length: POSITIONS ** 2 }, (_, at) =>
    scoreAt(scores, [Math.floor(at / POSITIONS), query], [at % POSITIONS, key]),
  );
  const positionNames = Array.from({ length: POSITIONS }, (_, position) => String(position));
  const maxAbsScore = largest || 1;
  const scoreGrid = matrixScene({
    ...{ width: gridWidth, theme, maxHeight: gridHeight(layout, isWide, isSideBySide, maxHeight) },
    grid: { rows: POSITIONS, columns: POSITIONS, data: cells },
    ...{ scale: 'diverging', range: [-maxAbsScore, maxAbsScore], title: strings.question, quantity: strings.quantity },
    ...{
      rowAxis: 'query',
      columnAxis: 'key',
      rowLabels: positionNames,
      columnLabels: positionNames,
      rowTitle: strings.queryAt,
      columnTitle: strings.keyAt,
    },
  });
  const { plot, cellWidth, cellHeight } = scoreGrid.layout;
  const cellBox = (row: number, column: number): Box => ({
    x: plot.x + column * cellWidth,
    y: plot.y + row * cellHeight,
    width: cellWidth,
    height: cellHeight,
  });
  const outlinedGrid = {
    ...scoreGrid,
    picture: { ...scoreGrid.picture, marks: [...scoreGrid.picture.marks, ...differenceOutlines(results, cellBox)] },
  };
  const titledGrid = withHeading(outlinedGrid, strings.grid(query, key), isWide ? width : gridWidth);
  const [headline, reason] = verdictTexts(results);
  const left = isWide ? gridWidth + 2 * GAP : 0;
  const headlineText = wrapText([headline], layout.width - left, 19, 'ink');
  const reasonText = wrapText([reason], layout.width - left, 16, 'muted');
  const top = layout.height + (isSideBySide ? 0 : GAP / 2);
  const textY = isWide ? top + TITLE_HEIGHT + 28 : top;
  const matrixY = isWide ? top : top + headlineText.height + reasonText.height + 2 * GAP;
  const dials = sceneWithoutCursor({
    ...{ width: layout.width, height: layout.height, title: strings.question, description: '', rasters: [] },
    marks: dialMarks(layout, results),
  });
  const paragraph = [
    ...headlineText.marks.map((mark) => translateMark({ ...mark, bold: true } as Mark, left, textY)),
    ...reasonText.marks.map((mark) => translateMark(mark, left, textY + headlineText.height + 4)),
  ];
  return composeScenes(
    [
      isSideBySide ? { scene: titledGrid, x: layout.width + 2 * GAP, y: 0 } : { scene: titledGrid, x: 0, y: matrixY },
      { scene: dials, x: 0, y: 0 },
    ],
    { title: strings.question, description: `${headline}. ${reason}` },
    paragraph,
  );
}
