// The geometry of the dial: one circle per pair, with the fastest pair at the rim. Angles are counterclockwise from
// twelve o'clock.
import { entryAt } from '../../../charts/entry-at.ts';
import { LABEL_SIZE, maxTextWidth } from '../../../charts/text-metrics.ts';
import { createPositionLabels } from '../../compute/table-rows.ts';
import type { Spiral } from './compute.ts';
import type { Spec } from './fields.ts';

const LABEL_GAP = 10;
const MAX_SIDE = 480;
/** Radius of the innermost circle, as a fraction of the rim. */
const MIN_RADIUS = 0.02;
const NOTE_HEIGHT = 64;
const MIN_SIDE = 120;

export type Point = readonly [x: number, y: number];

export interface Dial {
  readonly side: number;
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  readonly pairCount: number;
  readonly positionTexts: readonly string[];
  getRadius(pair: number): number;
  /**
   * Returns the angle of a pair at a position. If only one pair is displayed, returns that pair's angle for every
   * circle.
   */
  getAngle(position: number, pair: number): number;
  getPoint(radius: number, angle: number): Point;
  getTip(position: number, pair: number): Point;
  getLabelPoint(position: number): Point;
}

export function createDial(
  { angles, pair: chosenPair }: Spiral,
  { show, positionOffset }: Spec,
  width: number,
  maxHeight = Number.POSITIVE_INFINITY,
): Dial {
  const [positionCount, pairCount] = [entryAt(angles.shape, 0), entryAt(angles.shape, 1)];
  const positionTexts = createPositionLabels(positionCount, positionOffset);
  const halfWidth = Math.max(LABEL_SIZE, maxTextWidth(positionTexts, LABEL_SIZE, true)) / 2;
  const labelDistance = LABEL_GAP + halfWidth;
  const side = Math.min(width, MAX_SIDE, Math.max(MIN_SIDE, maxHeight - NOTE_HEIGHT));
  const [x, y, radius] = [width / 2, side / 2, Math.max(1, side / 2 - labelDistance - halfWidth)];
  const getRadius = (pair: number): number => radius * (1 - ((1 - MIN_RADIUS) * pair) / Math.max(1, pairCount - 1));
  const getAngle = (position: number, pair: number): number =>
    entryAt(angles.data, position * pairCount + (show === 'one_pair' ? chosenPair : pair));
  const getPoint = (distance: number, angle: number): Point => [x - distance * Math.sin(angle), y - distance * Math.cos(angle)];
  return {
    side,
    x,
    y,
    radius,
    pairCount,
    positionTexts,
    getRadius,
    getAngle,
    getPoint,
    getTip: (position, pair) => getPoint(getRadius(pair), getAngle(position, pair)),
    getLabelPoint: (position) => getPoint(radius + labelDistance, getAngle(position, 0)),
  };
}
