// Draws the dial: both hands with knobs at their ends, and the angle between them. Dashed lines show the previous
// directions of the hands; arcs show how far they have rotated since.

import { formatDecimal, wholeNumber } from '../../../charts/english.ts';
import { entryAt } from '../../../charts/entry-at.ts';
import { formatNumber } from '../../../charts/number.ts';
import type { Mark, Tone } from '../../../charts/picture.ts';
import { PALETTES } from '../../../charts/render/palette.ts';
import { textWidth } from '../../../charts/text-metrics.ts';
import type { Rotation } from '../../compute/rotation.ts';
import type { RotationState } from '../../compute/rotation-state.ts';
import { arcPath, type Point, pointOnCircle, sectorPath } from './arcs.ts';
import type { Dial } from './layout.ts';

/** Formats an angle in degrees without its sign: '54°', '0.06°'. */
export function formatDegrees(radians: number): string {
  const absDegrees = (Math.abs(radians) * 180) / Math.PI;
  return `${absDegrees === 0 || absDegrees >= 0.95 ? wholeNumber.format(Math.round(absDegrees)) : formatNumber(absDegrees, { digits: 1 })}°`;
}

/** Formats a score, always with two decimals ('−1.07'), so that an unchanged score looks unchanged. */
export function formatScore(score: number): string {
  if (Math.abs(score) >= 1000) return formatNumber(score);
  const text = Math.abs(score).toFixed(2);
  return score < 0 && text !== '0.00' ? `−${text}` : text;
}

/** Formats a distance in positions: '3', '2.4', '−1,000'. */
export function formatDistance(positions: number): string {
  const tenths = Math.round(Math.abs(positions) * 10) / 10;
  const text = Number.isInteger(tenths) ? wholeNumber.format(tenths) : tenths.toFixed(1);
  return positions < 0 && tenths !== 0 ? `−${text}` : text;
}

/** Formats a position: '5', '−2', '0.25', '100000'. */
export const formatPosition = (position: number): string => formatDecimal(position).replace('-', '−');

/** Radii of the parts of the dial, relative to the radius of the rim. */
const [HAND_LENGTH, WEDGE_RADIUS, QUERY_ARC_RADIUS, KEY_ARC_RADIUS] = [0.84, 0.46, 1.035, 0.93];
/** Minimum angle of the wedge, in radians, at which its label is inside it. */
const MIN_LABELLED_ANGLE = 0.62;
/** The wedge is light in every theme, so its text is dark. */
const WEDGE_TEXT_COLOR = PALETTES.light.tones.ink;
export const HAND_TONES: { readonly query: Tone; readonly key: Tone } = { query: 'series-1', key: 'series-2' };

export interface DialSpec {
  readonly hands: Hands;
  readonly previousHands?: Hands | undefined;
  /** Angle in radians by which each hand has rotated from its previous direction. */
  readonly rotations?: { readonly query: number; readonly key: number } | undefined;
  /** Angle in radians between neighbouring positions on the rim. Undefined if it is not constant. */
  readonly anglePerPosition: number | undefined;
  /** Length of the longest vector, whose hand is drawn at full length. */
  readonly maxLength: number;
}

function computeTip(dial: Dial, { direction, length }: Hands['query'], maxLength: number): Point {
  return pointOnCircle(dial, maxLength > 0 ? (dial.radius * HAND_LENGTH * length) / maxLength : 0, direction);
}

/** Minimum distance of a knob from the centre, relative to the radius. It keeps knobs from covering the angle. */
const MIN_KNOB_DISTANCE = 0.62;
const KNOB_GAP = 6;
export const computeKnobRadius = ({ radius }: Dial): number => Math.max(14, Math.min(16, radius * 0.1));

function computeKnobCenter(dial: Dial, { direction, length }: Hands['query'], maxLength: number): Point {
  return pointOnCircle(dial, dial.radius * Math.max(MIN_KNOB_DISTANCE, maxLength > 0 ? (HAND_LENGTH * length) / maxLength : 0), direction);
}

export function computeKnobCenters(dial: Dial, hands: Hands, maxLength: number): { readonly query: Point; readonly key: Point } {
  const [query, key] = [computeKnobCenter(dial, hands.query, maxLength), computeKnobCenter(dial, hands.key, maxLength)];
  const overlapDistance = 2 * computeKnobRadius(dial) + KNOB_GAP - Math.hypot(query.x - key.x, query.y - key.y);
  if (overlapDistance <= 0) return { query, key };
  const sideDirection = hands.key.direction + hands.relativeAngle / 2 + (hands.relativeAngle < 0 ? -1 : 1) * (Math.PI / 2);
  const moveSideways = ({ x, y }: Point, distance: number): Point => pointOnCircle({ cx: x, cy: y }, distance, sideDirection);
  return { query: moveSideways(query, overlapDistance / 2), key: moveSideways(key, -overlapDistance / 2) };
}

/** The hand of the key is wider, so that it is visible behind the hand of the query. */
const RELATIVE_WIDTH = { query: 1, key: 1.8 } as const;

const handMark = (dial: Dial, hand: Hands['query'], maxLength: number, name: 'query' | 'key', isGhost: boolean): Mark => {
  const { x, y } = computeTip(dial, hand, maxLength);
  return isGhost
    ? { kind: 'line', tone: HAND_TONES[name], opacity: 0.8, dashed: true, stroke: 2, x1: dial.cx, y1: dial.cy, x2: x, y2: y }
    : {
        kind: 'path',
        tone: HAND_TONES[name],
        stroke: RELATIVE_WIDTH[name] * Math.max(4, dial.radius / 30),
        d: `M${dial.cx} ${dial.cy}L${x.toFixed(2)} ${y.toFixed(2)}`,
      };
};

function rimMarks(dial: Dial, anglePerPosition: number | undefined): Mark[] {
  const marks: Mark[] = [{ kind: 'circle', tone: 'hairline', cx: dial.cx, cy: dial.cy, r: dial.radius, outline: true }];
  const markCount = anglePerPosition ? Math.floor((2 * Math.PI) / Math.abs(anglePerPosition)) : 0;
  // With more marks, the rim would look like a grey ring.
  if (!anglePerPosition || markCount > 60) return marks;
  for (let markIndex = 0; markIndex <= markCount; markIndex++) {
    const [outerPoint, innerPoint] = [
      pointOnCircle(dial, dial.radius, markIndex * anglePerPosition),
      pointOnCircle(dial, dial.radius * 0.965, markIndex * anglePerPosition),
    ];
    marks.push({ kind: 'line', tone: 'muted', x1: outerPoint.x, y1: outerPoint.y, x2: innerPoint.x, y2: innerPoint.y });
  }
  return marks;
}

function previousHandMarks(dial: Dial, { previousHands, rotations, maxLength }: DialSpec): Mark[] {
  if (!previousHands || !rotations) return [];
  const marks: Mark[] = [
    {
      kind: 'path',
      tone: 'ink',
      opacity: 0.55,
      dashed: true,
      stroke: 1.5,
      d: sectorPath(dial, dial.radius * WEDGE_RADIUS, previousHands.key.direction, previousHands.relativeAngle),
    },
  ];
  for (const [name, radius] of [
    ['query', QUERY_ARC_RADIUS],
    ['key', KEY_ARC_RADIUS],
  ] as const) {
    marks.push(handMark(dial, previousHands[name], maxLength, name, true));
    if (rotations[name] === 0) continue;
    const d = arcPath(dial, dial.radius * radius, previousHands[name].direction, rotations[name]);
    marks.push({ kind: 'path', tone: HAND_TONES[name], opacity: 0.85, stroke: 3.5, d });
  }
  return marks;
}

function wedgeMarks(dial: Dial, { key, relativeAngle }: Hands): Mark[] {
  const radius = dial.radius * WEDGE_RADIUS;
  return [
    { kind: 'path', tone: 'wedge', fill: true, d: sectorPath(dial, radius, key.direction, relativeAngle) },
    { kind: 'path', tone: 'changed', stroke: 2, d: arcPath(dial, radius, key.direction, relativeAngle) },
  ];
}

function angleLabelMarks(dial: Dial, { key, relativeAngle }: Hands): Mark[] {
  const isInside = Math.abs(relativeAngle) > MIN_LABELLED_ANGLE;
  const size = Math.max(15, Math.min(21, dial.radius * 0.12));
  const text = formatDegrees(relativeAngle);
  const middleDirection = key.direction + relativeAngle / 2;
  const halfWidth = textWidth(text, size, true) / 2 + 3;
  const { x, y } = pointOnCircle(dial, dial.radius * (isInside ? 0.3 : 0.5), middleDirection);
  // If the hands are close together, the label is beside the hand of the key.
  const labelCenter = isInside
    ? { x, y }
    : pointOnCircle({ cx: x, cy: y }, halfWidth + 10, key.direction + (relativeAngle < 0 ? 1 : -1) * (Math.PI / 2));
  const label: Mark = {
    kind: 'text',
    tone: 'ink',
    bold: true,
    size,
    ...labelCenter,
    text,
    anchor: 'middle',
    ...(isInside ? { color: WEDGE_TEXT_COLOR } : {}),
  };
  if (isInside) return [label];
  return [
    {
      kind: 'rect',
      tone: 'halo',
      opacity: 0.85,
      x: labelCenter.x - halfWidth,
      y: labelCenter.y - size * 0.7,
      width: 2 * halfWidth,
      height: size * 1.4,
    },
    label,
  ];
}

export function dialMarks(dial: Dial, spec: DialSpec): Mark[] {
  const { hands, maxLength } = spec;
  const knobCenters = computeKnobCenters(dial, hands, maxLength);
  const r = computeKnobRadius(dial);
  const drawnHands = (['key', 'query'] as const).map((name) => handMark(dial, hands[name], maxLength, name, false));
  const knobs = (['key', 'query'] as const).flatMap((name): Mark[] => {
    const { x, y } = knobCenters[name];
    const handTip = computeTip(dial, hands[name], maxLength);
    const text = name === 'query' ? 'q' : 'k';
    const isKnobDetached = Math.hypot(x - handTip.x, y - handTip.y) > 0.5;
    return [
      ...(isKnobDetached
        ? [
            {
              kind: 'line',
              tone: HAND_TONES[name],
              opacity: 0.6,
              dashed: true,
              stroke: 1.5,
              x1: handTip.x,
              y1: handTip.y,
              x2: x,
              y2: y,
            } as const,
          ]
        : []),
      { kind: 'circle', tone: 'halo', cx: x, cy: y, r: r + 2.5 },
      { kind: 'circle', tone: HAND_TONES[name], cx: x, cy: y, r },
      { kind: 'text', tone: 'halo', bold: true, size: r + 1, x, y, text, anchor: 'middle' },
    ];
  });
  return [
    ...rimMarks(dial, spec.anglePerPosition),
    ...previousHandMarks(dial, spec),
    ...wedgeMarks(dial, hands),
    ...drawnHands,
    ...knobs,
    { kind: 'circle', tone: 'ink', cx: dial.cx, cy: dial.cy, r: Math.max(3, dial.radius / 42) },
    ...angleLabelMarks(dial, hands),
  ];
}

export function clockMarks(dial: Dial, hands: Hands, maxLength: number, isChosen: boolean): Mark[] {
  const stroke = Math.max(2, dial.radius / 14);
  return [
    {
      kind: 'circle',
      tone: isChosen ? 'ink' : 'hairline',
      cx: dial.cx,
      cy: dial.cy,
      r: dial.radius,
      outline: true,
      stroke: isChosen ? 2 : 1,
    },
    { kind: 'path', tone: 'wedge', fill: true, d: sectorPath(dial, dial.radius * 0.48, hands.key.direction, hands.relativeAngle) },
    ...(['key', 'query'] as const).map((name): Mark => {
      const { x, y } = computeTip(dial, hands[name], maxLength);
      return { kind: 'path', tone: HAND_TONES[name], stroke, d: `M${dial.cx} ${dial.cy}L${x.toFixed(2)} ${y.toFixed(2)}` };
    }),
    { kind: 'circle', tone: 'ink', cx: dial.cx, cy: dial.cy, r: Math.max(1.5, dial.radius / 20) },
  ];
}

export interface Hand {
  /** The direction in radians, counterclockwise from the right. */
  readonly direction: number;
  readonly length: number;
}

export interface Hands {
  readonly query: Hand;
  readonly key: Hand;
  /** The angle from the key to the query, between -π and π. */
  readonly relativeAngle: number;
}

const normalizeAngle = (angle: number): number => Math.atan2(Math.sin(angle), Math.cos(angle));

export function computeHands({ channels }: Pick<Rotation, 'channels'>, { rotated }: RotationState, pair: number): Hands {
  const [a, b] = entryAt(channels, pair);
  const handFrom = (data: Float32Array): Hand => {
    const [x, y] = [entryAt(data, a), entryAt(data, b)];
    return { direction: Math.atan2(y, x), length: Math.hypot(x, y) };
  };
  const [query, key] = [handFrom(rotated.query), handFrom(rotated.key)];
  return { query, key, relativeAngle: normalizeAngle(query.direction - key.direction) };
}

/** Returns the angle in radians by which each hand has rotated since the state `before`. */
export function computeRotationsSince(
  { angles }: RotationState,
  before: RotationState,
  pair: number,
): { readonly query: number; readonly key: number } {
  const computeRotation = (name: 'query' | 'key'): number => entryAt(angles[name], pair) - entryAt(before.angles[name], pair);
  return { query: computeRotation('query'), key: computeRotation('key') };
}
