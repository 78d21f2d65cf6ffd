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
import { type Dial, dialOf, type Point } from './dial.ts';
import type { Spec } from './fields.ts';
import { strings } from './strings.ts';

/** Time that a straight hand takes to bend into a curve, ms. */
const BEND_DURATION = 900;
/** Maximum number of pairs whose hands are drawn. More hands would be indistinguishable. */
const MAX_HANDS = 64;
const MIN_CURVE_POINTS = 384;
const HIT_DISTANCE = 14;
/** Colours of the first and the last position, as fractions of the colour scale. */
const [FIRST_COLOR, LAST_COLOR] = [0.3, 0.95];

/** Formats the number of positions in a full rotation, rounded to three digits. */
export const rotationLength = (invFreq: number): string =>
  invFreq === 0 ? strings.still : strings.rotationLength(formatGroupedDecimal(Number(period(invFreq).toPrecision(3))));

export const pairsText = (pairs: number, { pair }: Spiral, { show }: Spec): string =>
  show === 'one_pair' ? strings.alone(pair) : strings.through(pairs);

/**
 * Returns points from the tip of one hand to the next, evenly spaced in angle and radius. For more than two full
 * rotations, returns a straight line.
 */
function pointsBetween(dial: Dial, position: number, pair: number): Point[] {
  const [from, to] = [dial.angleOf(position, pair), dial.angleOf(position, pair + 1)];
  const [outer, inner] = [dial.tip(position, pair), dial.tip(position, pair + 1)];
  const steps = Math.ceil(MIN_CURVE_POINTS / dial.pairs);
  return Array.from({ length: steps }, (_, step): Point => {
    const fraction = step / steps;
    if (Math.abs(to - from) > 4 * Math.PI)
      return [outer[0] + (inner[0] - outer[0]) * fraction, outer[1] + (inner[1] - outer[1]) * fraction];
    return dial.pointAt(dial.radiusOf(pair + fraction), from + (to - from) * fraction);
  });
}

/**
 * Returns a curve through the tips of all hands to the centre. The number of points depends only on the pairs, so that
 * curves can be interpolated.
 */
function curvePath(dial: Dial, position: number): string {
  const points = Array.from({ length: dial.pairs - 1 }, (_, pair) => pointsBetween(dial, position, pair)).flat();
  return [...points, dial.tip(position, dial.pairs - 1), [dial.x, dial.y] as const]
    .map(([x, y], at) => `${at === 0 ? 'M' : 'L'}${x.toFixed(1)},${y.toFixed(1)}`)
    .join('');
}

const distanceBetween = (a: Point, b: Point): number => Math.hypot(a[0] - b[0], a[1] - b[1]);

function selectLabelledPositions(dial: Dial): readonly number[] {
  const positionsWithLabels: number[] = [];
  for (let position = 0; position < dial.positionTexts.length; position++) {
    const label = dial.labelPoint(position);
    const hasSpace = positionsWithLabels.every((other) => {
      const [x, y] = dial.labelPoint(other);
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
    const [cx, cy] = dial.tip(position, 0);
    return [
      { kind: 'path', tone: 'accent', key: `curve-${position}`, d: curvePath(dial, position), stroke: dial.radius / 50, color },
      { kind: 'circle', tone: 'accent', key: `tip-${position}`, cx, cy, r: dial.radius / 28, color },
    ];
  }).flat();
}

/** Draws the curve of one position. If all pairs are displayed, draws up to MAX_HANDS of its hands. */
function highlightedPosition(dial: Dial, position: number, isOne: boolean): Mark[] {
  const name = entryAt(dial.positionTexts, position);
  const d = curvePath(dial, position);
  const [cx, cy] = dial.tip(position, 0);
  const [x, y] = dial.labelPoint(position);
  const labelWidth = textWidth(name, LABEL_SIZE, true) + 6;
  const step = Math.ceil(dial.pairs / MAX_HANDS);
  const hands = isOne
    ? []
    : Array.from({ length: Math.ceil(dial.pairs / step) }, (_, index): readonly Mark[] => {
        const [x2, y2] = dial.tip(position, index * step);
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
    { kind: 'text', tone: 'cursor', bold: true, x, y, text: name, anchor: 'middle' },
  ];
}

function highlightedPair(dial: Dial, pair: number): Mark[] {
  const r = dial.radiusOf(pair);
  return [
    { kind: 'circle', tone: 'halo', cx: dial.x, cy: dial.y, r, outline: true, stroke: 4 },
    { kind: 'circle', tone: 'cursor', cx: dial.x, cy: dial.y, r, outline: true, stroke: 1.5 },
    ...Array.from({ length: dial.positionTexts.length }, (_, position): Mark => {
      const [cx, cy] = dial.tip(position, pair);
      return { kind: 'circle', tone: 'cursor', cx, cy, r: 3 };
    }),
  ];
}

function noteText(results: Spiral, spec: Spec, pairs: number): string {
  const { invFreq, pair } = results;
  const rotationText = (index: number): string => rotationLength(entryAt(invFreq, index));
  return spec.show === 'one_pair'
    ? strings.noteOne(pair, rotationText(pair))
    : strings.noteAll(pairs, rotationText(0), rotationText(pairs - 1));
}

export function spiralScene(results: Spiral, spec: Spec, { width, maxHeight, theme }: Frame): Scene {
  const dial = dialOf(results, spec, Math.max(1, width), maxHeight);
  const { x, y, radius, pairs, positionTexts, side } = dial;
  const positions = positionTexts.length;
  const isSinglePair = spec.show === 'one_pair';
  const firstPosition = spec.positionOffset;
  const paragraph = wrapText([noteText(results, spec, pairs)], Math.max(1, width), LABEL_SIZE, 'muted');
  const top = side + 8;
  return {
    picture: {
      width: Math.max(1, width),
      height: top + paragraph.height,
      title: strings.question,
      description: `${strings.description(firstPosition, firstPosition + positions - 1, pairsText(pairs, results, spec))}. ${noteText(results, spec, pairs)}`,
      duration: BEND_DURATION,
      rasters: [],
      marks: [
        { kind: 'circle', tone: 'hairline', cx: x, cy: y, r: radius, outline: true },
        { kind: 'line', tone: 'muted', x1: x, x2: x, y1: y - radius, y2: y - radius + 8 },
        ...curveMarks(dial, theme),
        ...selectLabelledPositions(dial).map((position): Mark => {
          const [lx, ly] = dial.labelPoint(position);
          return {
            kind: 'text',
            tone: 'muted',
            key: `name-${position}`,
            x: lx,
            y: ly,
            text: entryAt(positionTexts, position),
            anchor: 'middle',
          };
        }),
        ...paragraph.marks.map((mark) => translateMark(mark, 0, top)),
      ],
    },
    overlay: (cursor) => [
      ...(isIndex(cursor.query, positions) ? highlightedPosition(dial, cursor.query, isSinglePair) : []),
      ...(!isSinglePair && isIndex(cursor.pair, pairs) ? highlightedPair(dial, cursor.pair) : []),
    ],
    hit(px, py) {
      const distance = distanceBetween([px, py], [x, y]);
      if (distance > radius + HIT_DISTANCE) return undefined;
      const pair = Math.max(0, Math.min(pairs - 1, Math.round(((radius - distance) / radius) * (pairs - 1))));
      const distanceTo = (position: number): number => distanceBetween([px, py], dial.pointAt(distance, dial.angleOf(position, pair)));
      const query = positionTexts.reduce((best, _, position) => (distanceTo(position) < distanceTo(best) ? position : best), 0);
      const isNear = distanceTo(query) <= HIT_DISTANCE;
      if (isSinglePair) return isNear ? { query } : undefined;
      return isNear ? { query, pair } : { pair };
    },
    step(cursor: Cursor, columns, rows) {
      const query = stepIndex(cursor.query, columns, positions);
      return isSinglePair || (rows === 0 && cursor.pair === undefined) ? { query } : { query, pair: stepIndex(cursor.pair, rows, pairs) };
    },
  };
}
