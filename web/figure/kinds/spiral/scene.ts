// Draws each position as a curve through the tips of its hands. The hands are straight for a single pair, and bend into
// curves when all pairs are displayed.
import { period } from '../../../charts/clocks/clocks.ts';
import { colorOf, sequentialScale } from '../../../charts/color.ts';
import { translateMark } from '../../../charts/compose.ts';
import { formatGroupedDecimal } from '../../../charts/english.ts';
import { entryAt, isIndex } from '../../../charts/entry-at.ts';
import type { Mark, Theme } from '../../../charts/picture.ts';
import { type Cursor, type Frame, type Scene, stepIndex } from '../../../charts/scene.ts';
import { LABEL_SIZE, textWidth } from '../../../charts/text-metrics.ts';
import { wrapText } from '../../../charts/wrapped-text.ts';
import type { Spiral } from './compute.ts';
import { createDial, type Dial, type Point } from './dial.ts';
import type { Spec } from './fields.ts';
import { strings } from './strings.ts';

/** Time that a straight hand takes to bend into a curve, ms. */
const BEND_MS = 900;
/** Maximum number of pairs whose hands are drawn. More hands would be indistinguishable. */
const MAX_HANDS = 64;
const MIN_CURVE_POINTS = 384;
const HIT_DISTANCE = 14;
/** Colours of the first and the last position, as fractions of the colour scale. */
const [FIRST_COLOR, LAST_COLOR] = [0.3, 0.95];

/** Formats the number of positions in a full rotation, rounded to three digits. */
export const formatRotationPeriod = (invFreq: number): string =>
  invFreq === 0 ? strings.infinitePositions : strings.rotationLength(formatGroupedDecimal(Number(period(invFreq).toPrecision(3))));

export const describePairs = (pairCount: number, { pair }: Spiral, { show }: Spec): string =>
  show === 'one_pair' ? strings.onePairClause(pair) : strings.allPairsClause(pairCount);

/**
 * Returns points from the tip of one hand to the next, evenly spaced in angle and radius. For more than two full
 * rotations, returns a straight line.
 */
function interpolatePoints(dial: Dial, position: number, pair: number): Point[] {
  const [from, to] = [dial.getAngle(position, pair), dial.getAngle(position, pair + 1)];
  const [outer, inner] = [dial.getTip(position, pair), dial.getTip(position, pair + 1)];
  const steps = Math.ceil(MIN_CURVE_POINTS / dial.pairCount);
  return Array.from({ length: steps }, (_, step): Point => {
    const fraction = step / steps;
    if (Math.abs(to - from) > 4 * Math.PI)
      return [outer[0] + (inner[0] - outer[0]) * fraction, outer[1] + (inner[1] - outer[1]) * fraction];
    return dial.getPoint(dial.getRadius(pair + fraction), from + (to - from) * fraction);
  });
}

/**
 * Returns a curve through the tips of all hands to the centre. The number of points depends only on the pairs, so that
 * curves can be interpolated.
 */
function createCurvePath(dial: Dial, position: number): string {
  const points = Array.from({ length: dial.pairCount - 1 }, (_, pair) => interpolatePoints(dial, position, pair)).flat();
  return [...points, dial.getTip(position, dial.pairCount - 1), [dial.x, dial.y] as const]
    .map(([x, y], index) => `${index === 0 ? 'M' : 'L'}${x.toFixed(1)},${y.toFixed(1)}`)
    .join('');
}

const distanceBetween = (a: Point, b: Point): number => Math.hypot(a[0] - b[0], a[1] - b[1]);

function selectLabelledPositions(dial: Dial): readonly number[] {
  const positionsWithLabels: number[] = [];
  for (let position = 0; position < dial.positionTexts.length; position++) {
    const label = dial.getLabelPoint(position);
    const hasSpace = positionsWithLabels.every((other) => {
      const [x, y] = dial.getLabelPoint(other);
      const minDistance = (textWidth(entryAt(dial.positionTexts, position)) + textWidth(entryAt(dial.positionTexts, other))) / 2 + 4;
      return Math.abs(label[0] - x) > minDistance || Math.abs(label[1] - y) > LABEL_SIZE + 2;
    });
    if (hasSpace) positionsWithLabels.push(position);
  }
  return positionsWithLabels;
}

function curveMarks(dial: Dial, theme: Theme): Mark[] {
  const scale = sequentialScale([0, 1], theme);
  const last = dial.positionTexts.length - 1;
  // The last position is drawn first, so that the first position is on top.
  return Array.from({ length: dial.positionTexts.length }, (_, index): readonly Mark[] => {
    const position = last - index;
    const color = colorOf(scale, FIRST_COLOR + ((LAST_COLOR - FIRST_COLOR) * position) / Math.max(1, last)) ?? '';
    const [cx, cy] = dial.getTip(position, 0);
    return [
      { kind: 'path', tone: 'accent', key: `curve-${position}`, d: createCurvePath(dial, position), stroke: dial.radius / 50, color },
      { kind: 'circle', tone: 'accent', key: `tip-${position}`, cx, cy, r: dial.radius / 28, color },
    ];
  }).flat();
}

/** Draws the curve of one position. If all pairs are displayed, draws up to MAX_HANDS of its hands. */
function positionHighlightMarks(dial: Dial, position: number, isSinglePair: boolean): Mark[] {
  const label = entryAt(dial.positionTexts, position);
  const d = createCurvePath(dial, position);
  const [cx, cy] = dial.getTip(position, 0);
  const [x, y] = dial.getLabelPoint(position);
  const labelWidth = textWidth(label, LABEL_SIZE, true) + 6;
  const step = Math.ceil(dial.pairCount / MAX_HANDS);
  const hands = isSinglePair
    ? []
    : Array.from({ length: Math.ceil(dial.pairCount / step) }, (_, index): readonly Mark[] => {
        const [x2, y2] = dial.getTip(position, index * step);
        return [
          { kind: 'line', tone: 'ink', x1: dial.x, y1: dial.y, x2, y2, opacity: 0.45 },
          { kind: 'circle', tone: 'cursor', cx: x2, cy: y2, r: Math.max(1.5, dial.radius / 80) },
        ];
      }).flat();
  return [
    { kind: 'path', tone: 'halo', d, stroke: dial.radius / 50 + 5 },
    ...hands,
    { kind: 'path', tone: 'cursor', d, stroke: 2.5 },
    { kind: 'circle', tone: 'cursor', cx, cy, r: dial.radius / 28 },
    { kind: 'rect', tone: 'halo', x: x - labelWidth / 2, y: y - 8, width: labelWidth, height: 16 },
    { kind: 'text', tone: 'cursor', bold: true, x, y, text: label, anchor: 'middle' },
  ];
}

function pairHighlightMarks(dial: Dial, pair: number): Mark[] {
  const r = dial.getRadius(pair);
  return [
    { kind: 'circle', tone: 'halo', cx: dial.x, cy: dial.y, r, outline: true, stroke: 4 },
    { kind: 'circle', tone: 'cursor', cx: dial.x, cy: dial.y, r, outline: true, stroke: 1.5 },
    ...Array.from({ length: dial.positionTexts.length }, (_, position): Mark => {
      const [cx, cy] = dial.getTip(position, pair);
      return { kind: 'circle', tone: 'cursor', cx, cy, r: 3 };
    }),
  ];
}

function createNote(results: Spiral, spec: Spec, pairCount: number): string {
  const { invFreq, pair } = results;
  const getPeriodText = (index: number): string => formatRotationPeriod(entryAt(invFreq, index));
  return spec.show === 'one_pair'
    ? strings.onePairNote(pair, getPeriodText(pair))
    : strings.allPairsNote(pairCount, getPeriodText(0), getPeriodText(pairCount - 1));
}

export function spiralScene(results: Spiral, spec: Spec, { width, maxHeight, theme }: Frame): Scene {
  const dial = createDial(results, spec, Math.max(1, width), maxHeight);
  const { x, y, radius, pairCount, positionTexts, side } = dial;
  const positionCount = positionTexts.length;
  const isSinglePair = spec.show === 'one_pair';
  const firstPosition = spec.positionOffset;
  const paragraph = wrapText([createNote(results, spec, pairCount)], Math.max(1, width), LABEL_SIZE, 'muted');
  const top = side + 8;
  return {
    picture: {
      width: Math.max(1, width),
      height: top + paragraph.height,
      title: strings.question,
      description: `${strings.description(firstPosition, firstPosition + positionCount - 1, describePairs(pairCount, results, spec))}. ${createNote(results, spec, pairCount)}`,
      duration: BEND_MS,
      rasters: [],
      marks: [
        { kind: 'circle', tone: 'hairline', cx: x, cy: y, r: radius, outline: true },
        { kind: 'line', tone: 'muted', x1: x, x2: x, y1: y - radius, y2: y - radius + 8 },
        ...curveMarks(dial, theme),
        ...selectLabelledPositions(dial).map((position): Mark => {
          const [labelX, labelY] = dial.getLabelPoint(position);
          return {
            kind: 'text',
            tone: 'muted',
            key: `name-${position}`,
            x: labelX,
            y: labelY,
            text: entryAt(positionTexts, position),
            anchor: 'middle',
          };
        }),
        ...paragraph.marks.map((mark) => translateMark(mark, 0, top)),
      ],
    },
    overlay: (cursor) => [
      ...(isIndex(cursor.query, positionCount) ? positionHighlightMarks(dial, cursor.query, isSinglePair) : []),
      ...(!isSinglePair && isIndex(cursor.pair, pairCount) ? pairHighlightMarks(dial, cursor.pair) : []),
    ],
    hit(pointerX, pointerY) {
      const distance = distanceBetween([pointerX, pointerY], [x, y]);
      if (distance > radius + HIT_DISTANCE) return undefined;
      const pair = Math.max(0, Math.min(pairCount - 1, Math.round(((radius - distance) / radius) * (pairCount - 1))));
      const getDistance = (position: number): number =>
        distanceBetween([pointerX, pointerY], dial.getPoint(distance, dial.getAngle(position, pair)));
      const query = positionTexts.reduce((best, _, position) => (getDistance(position) < getDistance(best) ? position : best), 0);
      const isNear = getDistance(query) <= HIT_DISTANCE;
      if (isSinglePair) return isNear ? { query } : undefined;
      return isNear ? { query, pair } : { pair };
    },
    step(cursor: Cursor, columns, rows) {
      const query = stepIndex(cursor.query, columns, positionCount);
      return isSinglePair || (rows === 0 && cursor.pair === undefined)
        ? { query }
        : { query, pair: stepIndex(cursor.pair, rows, pairCount) };
    },
  };
}
