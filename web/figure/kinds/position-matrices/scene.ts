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
import { computeTolerance, getScore, type MatrixScores, POSITION_COUNT } from './compute.ts';
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
const MIN_SIDE_BY_SIDE_WIDTH = 640;
const ARROW_TONES: readonly [Tone, Tone] = ['accent', 'series-2'];

export interface Layout {
  readonly width: number;
  readonly height: number;
  readonly dials: readonly Box[];
}

/** Whether to draw the scores beside the dials: only in low figures that are wide enough. */
const fitsSideBySide = (width: number, maxHeight: number | undefined): maxHeight is number =>
  isLowHeight(maxHeight) && width >= MIN_SIDE_BY_SIDE_WIDTH;

/**
 * Lays out the dials when the scores are beside them. Half a gap precedes the first dial, because its heading may be
 * wider than the dial.
 */
function sideBySideLayout(totalWidth: number, maxHeight: number): Layout {
  const width = totalWidth - MAX_GRID_WIDTH - 2 * GAP;
  const side = Math.max(
    MIN_DRAGGABLE_SIDE,
    Math.min(Math.floor((width - GAP * POSITION_COUNT) / POSITION_COUNT), maxHeight - HEADING_HEIGHT - TEXT_HEIGHT),
  );
  const dials = Array.from({ length: POSITION_COUNT }, (_, position) => ({
    x: GAP / 2 + position * (side + GAP),
    y: HEADING_HEIGHT,
    width: side,
    height: side,
  }));
  return { width, height: side + HEADING_HEIGHT + GAP, dials };
}

export function layoutDials(width: number, maxHeight?: number): Layout {
  if (fitsSideBySide(width, maxHeight)) return sideBySideLayout(width, maxHeight);
  const columnFit = fitColumns(POSITION_COUNT, width, MIN_SIDE, GAP);
  const columns = columnFit.columns === 3 ? 2 : columnFit.columns;
  const rows = POSITION_COUNT / columns;
  const maxDialWidth = Math.floor((width - GAP * (columns - 1)) / columns);
  // Narrow figures have no height limit, so that arrows stay large enough to touch.
  const maxDialHeight =
    maxHeight === undefined || columns < POSITION_COUNT ? MAX_SIDE : Math.floor(maxHeight / 2 / rows) - HEADING_HEIGHT - GAP;
  const side = Math.max(MIN_DRAGGABLE_SIDE, Math.min(MAX_SIDE, maxDialWidth, maxDialHeight));
  const left = Math.floor((width - columns * side - (columns - 1) * GAP) / 2);
  const dials = Array.from({ length: POSITION_COUNT }, (_, position) => ({
    x: left + (position % columns) * (side + GAP),
    y: HEADING_HEIGHT + Math.floor(position / columns) * (side + HEADING_HEIGHT + GAP),
    width: side,
    height: side,
  }));
  return { width, height: rows * (side + HEADING_HEIGHT + GAP), dials };
}

/** Converts (x, y) in a dial's coordinates to px. */
export function toPixels({ x: left, y: top, width }: Box, x: number, y: number): readonly [number, number] {
  const unitLength = width / 2 / MAX_ENTRY;
  return [left + width / 2 + unitLength * x, top + width / 2 - unitLength * y];
}

function arrowMarks(dial: Box, x: number, y: number, tone: Tone): Mark[] {
  const [fromX, fromY] = toPixels(dial, 0, 0);
  const [toX, toY] = toPixels(dial, x, y);
  const length = Math.hypot(toX - fromX, toY - fromY);
  const line = { kind: 'line', tone, stroke: 3, x1: fromX, y1: fromY, x2: toX, y2: toY } as const;
  const [ux, uy] = length > 1 ? [(toX - fromX) / length, (toY - fromY) / length] : [0, 0];
  const pointText = (backward: number, aside: number): string =>
    `${(toX - backward * ux - aside * uy).toFixed(1)},${(toY - backward * uy + aside * ux).toFixed(1)}`;
  const head = { kind: 'path', tone, fill: true, d: `M${pointText(-3, 0)}L${pointText(10, 6)}L${pointText(10, -6)}Z` } as const;
  return length > 12 ? [line, head] : [line, { kind: 'circle', tone, cx: toX, cy: toY, r: 4 }];
}

function dialMarks({ dials }: Layout, { vectors }: MatrixScores): Mark[] {
  return dials.flatMap((dial, position): readonly Mark[] => {
    const [x, y] = toPixels(dial, 0, 0);
    const isFixed = position === 0;
    const label = { x, y: dial.y - HEADING_HEIGHT / 2, text: strings.positionLabel(position), anchor: 'middle' } as const;
    return [
      { kind: 'text', tone: isFixed ? 'muted' : 'ink', ...label },
      { kind: 'rect', tone: 'hairline', outline: true, ...dial },
      { kind: 'line', tone: 'hairline', x1: dial.x, x2: dial.x + dial.width, y1: y, y2: y },
      { kind: 'line', tone: 'hairline', x1: x, x2: x, y1: dial.y, y2: dial.y + dial.height },
      { kind: 'circle', tone: 'muted', outline: true, dashed: true, cx: x, cy: y, r: dial.width / 2 / MAX_ENTRY },
      // The second arrow is drawn first, so that both remain visible if they coincide.
      ...[1, 0].flatMap((column) => {
        const offset = 2 * (2 * position + column);
        return arrowMarks(dial, entryAt(vectors.data, offset), entryAt(vectors.data, offset + 1), ARROW_TONES[column] as Tone);
      }),
    ];
  });
}

/** Returns a headline on whether scores depend only on the distance, and a sentence that gives the reason. */
export function verdictTexts(results: MatrixScores): readonly [string, string] {
  const { differingScores, vectors, residual } = results;
  if (residual > computeTolerance(results)) {
    const { first, second } = differingScores;
    // Uses as many digits as needed to distinguish the two scores.
    const formatScores = (digits: number): readonly [string, string] =>
      [first, second].map(({ score }) => formatNumber(Math.abs(score) < 1e-7 ? 0 : score, { digits })) as [string, string];
    const [digits = 7] = [3, 4, 5, 6].filter((count) => formatScores(count)[0] !== formatScores(count)[1]);
    return [strings.twoScoresHeadline(differingScores), strings.twoScoresReason(differingScores, formatScores(digits))];
  }
  const [x = 1, y = 0, otherX = 0, otherY = 1] = vectors.data.subarray(4, 8);
  const degrees = (Math.atan2(y, x) * 180) / Math.PI;
  if (x * otherY - y * otherX < 0) return [strings.oneScoreHeadline, strings.reflectionReason];
  return [
    strings.oneScoreHeadline,
    Math.abs(degrees) < 1e-3 ? strings.sameMatrixReason : strings.rotationReason(formatNumber(degrees, { short: true })),
  ];
}

function differenceOutlines(results: MatrixScores, box: (row: number, column: number) => Box): Mark[] {
  const { differingScores, residual } = results;
  if (residual <= computeTolerance(results)) return [];
  return [differingScores.first, differingScores.second].map(({ positions: [row, column] }): Mark => {
    const { x, y, width, height } = box(row, column);
    return { kind: 'rect', tone: 'changed', outline: true, stroke: 3, x: x + 1.5, y: y + 1.5, width: width - 3, height: height - 3 };
  });
}

/** Returns the height of the score matrix in px, or undefined if it is square. */
function gridHeight(layout: Layout, isWide: boolean, isSideBySide: boolean, maxHeight: number | undefined): number | undefined {
  if (maxHeight === undefined || !(isWide || isSideBySide)) return undefined;
  return isSideBySide ? maxHeight - TITLE_HEIGHT : Math.max(120, maxHeight - layout.height - TITLE_HEIGHT);
}

export function matricesScene(results: MatrixScores, { width, maxHeight, theme }: Frame): Scene {
  const { scores, differingScores, maxAbsScore: maxScore } = results;
  const layout = layoutDials(width, maxHeight);
  const { query, key } = differingScores;
  const isSideBySide = fitsSideBySide(width, maxHeight);
  const isWide = width >= 560 && !isSideBySide;
  const gridWidth = Math.min(width, MAX_GRID_WIDTH);
  const cells = Float32Array.from({ length: POSITION_COUNT ** 2 }, (_, index) =>
    getScore(scores, [Math.floor(index / POSITION_COUNT), query], [index % POSITION_COUNT, key]),
  );
  const positionNames = Array.from({ length: POSITION_COUNT }, (_, position) => String(position));
  const maxAbsScore = maxScore || 1;
  const scoreGrid = matrixScene({
    ...{ width: gridWidth, theme, maxHeight: gridHeight(layout, isWide, isSideBySide, maxHeight) },
    grid: { rows: POSITION_COUNT, columns: POSITION_COUNT, data: cells },
    ...{ scale: 'diverging', range: [-maxAbsScore, maxAbsScore], title: strings.question, quantity: strings.quantity },
    ...{
      rowAxis: 'query',
      columnAxis: 'key',
      rowLabels: positionNames,
      columnLabels: positionNames,
      rowTitle: strings.queryPositionTitle,
      columnTitle: strings.keyPositionTitle,
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
  const titledGrid = withHeading(outlinedGrid, strings.scoresTitle(query, key), isWide ? width : gridWidth);
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
