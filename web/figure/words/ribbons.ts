// Draws one word's attention as ribbons over the sentence. The ribbons start side by side on the word's tile, with widths proportional to
// the weights. They nest without crossing.
import { entryAt } from '../../charts/entry-at.ts';
import type { Mark, Theme } from '../../charts/picture.ts';
import { weightColor } from './marks.ts';

export interface RibbonEnd {
  /** Horizontal centre and upper edge of the tile, in px. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  /** Weight from 0 to 1; not finite for masked words, which have no ribbon. */
  readonly weight: number;
  /** The weight before words were moved, drawn for comparison. */
  readonly previousWeight: number | undefined;
}

export interface RibbonsSpec {
  readonly ends: readonly RibbonEnd[];
  /** Index of the word whose attention is drawn. */
  readonly queryIndex: number;
  /** Maximum height of a ribbon, in px. */
  readonly arcHeight: number;
  /** Index of the word under the pointer. */
  readonly cursor: number | undefined;
  readonly theme: Theme;
}

/** The maximum total width of all ribbons, as a fraction of the tile width. */
const MAX_TILE_FRACTION = 0.9;
/**
 * The maximum total width of all ribbons, as a fraction of the maximum height. Ribbons are thinner in a short figure,
 * so that neighbours do not overlap.
 */
const MAX_RELATIVE_WIDTH = 0.75;
/** Weights between 0 and this minimum are drawn with the width of the minimum. */
const MIN_WEIGHT = 0.006;
/** The previous weight is drawn too if the weight has changed by more than this amount. */
const MIN_SHOWN_CHANGE = 0.06;
/** Height of the lowest ribbon, as a fraction of the highest. */
const MIN_RELATIVE_HEIGHT = 0.3;

const clampWeight = (weight: number | undefined): number =>
  weight !== undefined && weight > 0 && Number.isFinite(weight) ? Math.max(MIN_WEIGHT, weight) : 0;

/**
 * Returns the left edge of each ribbon in px, relative to the middle of the tile. Order from the left: words on the left from near to far,
 * the word itself, words on the right from far to near.
 */
function layoutRibbons(
  ends: readonly RibbonEnd[],
  queryIndex: number,
  totalWidth: number,
  weightOf: (end: RibbonEnd) => number | undefined,
): number[] {
  const queryX = (ends[queryIndex] as RibbonEnd).x;
  const indices = ends.map((_, word) => word);
  const xOf = (word: number): number => (ends[word] as RibbonEnd).x;
  const wordsOnLeft = indices.filter((word) => word !== queryIndex && xOf(word) < queryX).sort((a, b) => xOf(b) - xOf(a));
  const wordsOnRight = indices.filter((word) => word !== queryIndex && xOf(word) >= queryX).sort((a, b) => xOf(b) - xOf(a));
  const starts: number[] = [];
  let nextStart = -totalWidth / 2;
  for (const word of [...wordsOnLeft, queryIndex, ...wordsOnRight]) {
    starts[word] = nextStart;
    nextStart += clampWeight(weightOf(ends[word] as RibbonEnd)) * totalWidth;
  }
  return starts;
}

const roundToHundredths = (value: number): number => Math.round(value * 100) / 100;
const formatPath = (parts: readonly (string | number)[]): string =>
  parts.map((part) => (typeof part === 'number' ? roundToHundredths(part) : part)).join(' ');

/** Creates a short vertical ribbon on the word's own tile, for its attention to itself. */
function createStubPath({ x, y }: RibbonEnd, startX: number, width: number, height: number): string {
  const radius = Math.min(width / 2, 14);
  const sideHeight = 0.13 * height;
  const topWidth = width - 2 * radius;
  return formatPath([
    'M',
    x + startX,
    y,
    'v',
    -sideHeight,
    'a',
    radius,
    radius,
    0,
    0,
    1,
    radius,
    -radius,
    'h',
    topWidth,
    'a',
    radius,
    radius,
    0,
    0,
    1,
    radius,
    radius,
    'v',
    sideHeight,
    'z',
  ]);
}

function createRibbonPath(from: RibbonEnd, to: RibbonEnd, startX: number, width: number, rise: number): string {
  const [a, b] = [from.x + startX, from.x + startX + width];
  const [c, d] = [to.x - width / 2, to.x + width / 2];
  const isLeftward = to.x < from.x;
  const [outer, outerTo, inner, innerTo] = isLeftward ? [b, c, a, d] : [a, d, b, c];
  const innerRise = Math.max(3, rise - 0.85 * width);
  return formatPath([
    ...['M', outer, from.y, 'A', Math.abs(outer - outerTo) / 2, rise, 0, 0, isLeftward ? 0 : 1, outerTo, to.y],
    ...['L', innerTo, to.y, 'A', Math.abs(inner - innerTo) / 2, innerRise, 0, 0, isLeftward ? 1 : 0, inner, from.y, 'z'],
  ]);
}

export function drawRibbons({ ends, queryIndex, arcHeight, cursor, theme }: RibbonsSpec): Mark[] {
  const from = ends[queryIndex];
  if (!from) return [];
  const narrowestWidth = Math.min(...ends.map(({ width }) => width));
  const totalWidth = Math.min(MAX_RELATIVE_WIDTH * arcHeight, MAX_TILE_FRACTION * Math.min(from.width, 1.5 * narrowestWidth));
  const distance = ({ x }: RibbonEnd): number => Math.abs(x - from.x);
  const xs = ends.map(({ x }) => x);
  const span = Math.max(...xs) - Math.min(...xs);
  const pitch = span / Math.max(1, ends.length - 1);
  const rise = (end: RibbonEnd): number => {
    const relativeDistance = span > 1.01 * pitch ? Math.min(1, Math.max(0, (distance(end) - pitch) / (span - pitch))) : 0.4;
    return arcHeight * (MIN_RELATIVE_HEIGHT + (1 - MIN_RELATIVE_HEIGHT) * relativeDistance) - 3;
  };
  const createOutline = (word: number, startX: number, weight: number): string => {
    const end = ends[word] as RibbonEnd;
    const width = clampWeight(weight) * totalWidth;
    return word === queryIndex ? createStubPath(from, startX, width, arcHeight) : createRibbonPath(from, end, startX, width, rise(end));
  };
  const currentStarts = layoutRibbons(ends, queryIndex, totalWidth, ({ weight }) => weight);
  const previousStarts = layoutRibbons(ends, queryIndex, totalWidth, ({ previousWeight }) => previousWeight);
  // Draws the farthest ribbons first, so that nearer ribbons are in front.
  const drawOrder = ends.map((_, word) => word).sort((a, b) => distance(ends[b] as RibbonEnd) - distance(ends[a] as RibbonEnd));
  const marks: Mark[] = [];
  for (const word of drawOrder) {
    const { weight } = ends[word] as RibbonEnd;
    if (clampWeight(weight) === 0) continue;
    const d = createOutline(word, entryAt(currentStarts, word), weight);
    const isHighlighted = word === cursor;
    marks.push({ kind: 'path', tone: 'accent', color: weightColor(weight, theme).fill, key: `ribbon-${word}`, d, fill: true });
    marks.push({
      kind: 'path',
      tone: isHighlighted ? 'cursor' : 'ink',
      key: `edge-${word}`,
      d,
      stroke: isHighlighted ? 2.5 : 1,
      opacity: isHighlighted ? 1 : 0.3,
    });
  }
  for (const word of drawOrder) {
    const { weight, previousWeight } = ends[word] as RibbonEnd;
    if (clampWeight(previousWeight) === 0 || previousWeight === undefined || !(Math.abs(weight - previousWeight) > MIN_SHOWN_CHANGE))
      continue;
    const d = createOutline(word, entryAt(previousStarts, word), previousWeight);
    marks.push({ kind: 'path', tone: 'ink', key: `ghost-${word}`, d, stroke: 1.3, dashed: true, opacity: 0.75 });
  }
  return marks;
}
