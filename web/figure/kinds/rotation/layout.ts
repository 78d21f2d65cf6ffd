// The layout of the picture. The dial is beside the score and its curve, or above them on phones. The line of positions
// is at the bottom.
import type { Box } from '../../../charts/picture.ts';
import { textWidth } from '../../../charts/text-metrics.ts';

export interface Dial {
  readonly cx: number;
  readonly cy: number;
  readonly radius: number;
}

export interface LineLayout {
  readonly left: number;
  readonly width: number;
  /** The x coordinate of the first position, px. */
  readonly x: number;
  readonly pitch: number;
  /** The vertical centre of the position numbers and the bar, px. */
  readonly y: number;
  readonly startPosition: number;
  readonly positionCount: number;
  readonly tile: { readonly width: number; readonly height: number; readonly size: number };
  readonly barHeight: number;
}

export interface RotationLayout {
  readonly width: number;
  readonly height: number;
  readonly dial: Dial;
  readonly score: {
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly labelSize: number;
    readonly scoreSize: number;
    readonly sentenceSize: number;
    readonly sentence: {
      readonly x: number;
      readonly y: number;
      readonly width: number;
      readonly isStacked: boolean;
    };
  };
  readonly curve: Box | undefined;
  readonly line: LineLayout;
}

/** Minimum figure width in px at which the score is always beside the dial. */
const MIN_WIDTH_BESIDE = 520;
/** Minimum width in px at which all parts have their full size. */
const FULL_SIZE_WIDTH = 760;
const [MAX_DIAL_SIDE, MIN_DIAL_SIDE] = [372, 120];
const PHONE_DIAL_SIDE = 288;
/**
 * The line is placed beside the dial if the dial would otherwise be smaller than LOW_DIAL_SIDE and the figure is at
 * least LOW_WIDTH wide, px.
 */
const LOW_DIAL_SIDE = 240;
const LOW_WIDTH = 600;
const MAX_SCORE_WIDTH = 460;
const MIN_CURVE_HEIGHT = 84;
export const TILE_GAP = 11;
/** Line height of the score, relative to its font size. */
const SCORE_LINE_HEIGHT = 1.28;
const GAP = 12;

export interface LinePositions {
  readonly length: number;
  readonly query: number;
  readonly key: number;
}

/** Returns the first position on the line: 0, unless another one is needed to make both query and key visible. */
export function getFirstPosition({ length, query, key }: LinePositions): number {
  const [low, high] = [Math.min(query, key), Math.max(query, key)];
  if ((low >= 0 && high <= length - 1) || high - low > length - 1) return 0;
  const freePositions = length - 1 - Math.ceil(high - low);
  return Math.floor(low) - Math.floor(freePositions / 2);
}

export function getLineRange(positions: LinePositions): readonly [number, number] {
  const first = getFirstPosition(positions);
  return [first, first + positions.length - 1];
}

interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

type LineBlock = LineLayout & { readonly height: number };

function layoutLine({ x, y, width }: Area, isWide: boolean, labels: readonly string[], positions: LinePositions): LineBlock {
  const size = isWide ? 22 : 19;
  const maxLabelWidth = Math.max(...labels.map((text) => textWidth(text, size)));
  const tile = { width: Math.ceil(Math.max(isWide ? 78 : 58, maxLabelWidth + size + 24)), height: isWide ? 46 : 42, size };
  const barHeight = 30;
  const pitch = positions.length > 1 ? (width - tile.width) / (positions.length - 1) : 0;
  const middleY = y + tile.height + TILE_GAP + barHeight / 2;
  const height = 2 * (tile.height + TILE_GAP) + barHeight + 2;
  return {
    left: x,
    width,
    x: x + tile.width / 2,
    pitch,
    y: middleY,
    startPosition: getFirstPosition(positions),
    positionCount: positions.length,
    tile,
    barHeight,
    height,
  };
}

type ScoreLayout = RotationLayout['score'];

const LARGE_SENTENCE_WIDTH = 400;

function layoutScoreColumn(
  { x, y, width }: Area,
  height: number,
  maxFontSize: number,
): { readonly score: ScoreLayout; readonly curve: Box | undefined } {
  const isStacked = width < 280;
  const scoreSize = Math.round(Math.max(40, Math.min(maxFontSize, width / 3.2)));
  const [labelSize, sentenceSize] = scoreSize > 90 ? [20, width < LARGE_SENTENCE_WIDTH ? 16 : 20] : scoreSize > 56 ? [16, 16] : [15, 15];
  // A stacked sentence is wrapped to up to three lines.
  const lineCount = isStacked ? 3 : 1;
  const textHeight = labelSize * 1.4 + scoreSize * SCORE_LINE_HEIGHT + 4 + sentenceSize * 1.45 * lineCount;
  const freeHeight = height - textHeight - GAP;
  const curveHeight = freeHeight < MIN_CURVE_HEIGHT ? 0 : Math.min(150, freeHeight);
  const top = y + Math.max(0, (height - textHeight - (curveHeight ? curveHeight + GAP : 0)) / 2);
  const sentence = { x, y: top + labelSize * 1.4 + scoreSize * SCORE_LINE_HEIGHT + 4, width, isStacked };
  const curve = curveHeight ? { x, y: top + textHeight + GAP, width, height: curveHeight } : undefined;
  return { score: { x, y: top, width, labelSize, scoreSize, sentenceSize, sentence }, curve };
}

const createDial = (left: number, side: number): Dial => ({ cx: left + side / 2, cy: side / 2, radius: (side / 2) * (200 / 216) });

function layoutForPhone(width: number, labels: readonly string[], positions: LinePositions): RotationLayout {
  const side = Math.min(PHONE_DIAL_SIDE, width);
  const y = side + 6;
  const curve = { x: 0, y: y + 102, width, height: 98 };
  const line = layoutLine({ x: 0, y: curve.y + curve.height + 18, width }, false, labels, positions);
  const sentence = { x: 172, y: y + 27, width: width - 172, isStacked: true };
  const score = { x: 0, y, width: 164, labelSize: 15, scoreSize: 60, sentenceSize: 17, sentence };
  return { width, height: line.y + line.height / 2, dial: createDial((width - side) / 2, side), score, curve, line };
}

function layoutForLowHeight(width: number, maxHeight: number, labels: readonly string[], positions: LinePositions): RotationLayout {
  const lineBlock = layoutLine({ x: 0, y: 0, width }, false, labels, positions);
  const minSide = 110 + lineBlock.height;
  const side = Math.floor(Math.max(MIN_DIAL_SIDE, minSide, Math.min(MAX_DIAL_SIDE, maxHeight, width * 0.4)));
  const x = side + 36;
  const area = { x, y: 0, width: width - x };
  const { score } = layoutScoreColumn(area, side - lineBlock.height, Math.max(44, (side - lineBlock.height) * 0.5));
  const line = layoutLine({ ...area, y: side - lineBlock.height }, false, labels, positions);
  return { width, height: side, dial: createDial(0, side), score, curve: undefined, line };
}

/** @param labels labels of the tiles; they determine the width of the tiles */
export function layoutRotation(width: number, maxHeight: number, labels: readonly string[], positions: LinePositions): RotationLayout {
  const isWide = width >= FULL_SIZE_WIDTH;
  const lineBlock = layoutLine({ x: 0, y: 0, width }, isWide, labels, positions);
  const availableHeight = maxHeight - lineBlock.height - GAP;
  const isPhone = width < MIN_WIDTH_BESIDE;
  if (isPhone && availableHeight >= PHONE_DIAL_SIDE) return layoutForPhone(width, labels, positions);
  if (availableHeight < LOW_DIAL_SIDE && width >= LOW_WIDTH) return layoutForLowHeight(width, maxHeight, labels, positions);
  const requestedSide = isWide ? MAX_DIAL_SIDE : Math.min(MAX_DIAL_SIDE, width * (isPhone ? 0.5 : 0.42));
  const side = Math.floor(Math.max(MIN_DIAL_SIDE, Math.min(requestedSide, availableHeight)));
  const gap = isWide ? 56 : isPhone ? 14 : 28;
  const scoreWidth = Math.min(MAX_SCORE_WIDTH, width - side - gap);
  const left = Math.floor((width - side - gap - scoreWidth) / 2);
  const { score, curve } = layoutScoreColumn({ x: left + side + gap, y: 0, width: scoreWidth }, side, Math.min(112, side * 0.3));
  const line = layoutLine({ x: 0, y: side + GAP, width }, isWide, labels, positions);
  return { width, height: line.y + line.height / 2, dial: createDial(left, side), score, curve, line };
}

/** Returns the x coordinate of a position. Positions beyond the ends of the line are clamped. */
export const getPositionX = ({ x, pitch, startPosition, positionCount }: LineLayout, position: number): number =>
  x + pitch * Math.max(0, Math.min(positionCount - 1, position - startPosition));
