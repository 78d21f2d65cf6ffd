// Draws one word's attention over the sentence: an arc to every word that it attends to.

import { joinSentences, wholeNumber } from '../../charts/english.ts';
import { entryAt } from '../../charts/entry-at.ts';
import { extent } from '../../charts/grid.ts';
import { formatNumber, formatRange } from '../../charts/number.ts';
import type { Mark, Picture } from '../../charts/picture.ts';
import { textWidth } from '../../charts/text-metrics.ts';

const strings = {
  word: (index: number) => `word ${index + 1}`,
  none: 'No word is selected.',
  itself: 'itself',
  weights: (word: string, range: string, largest: string | undefined, masked: number) =>
    joinSentences([
      `Weights of ${word} ${range}.`,
      largest === undefined ? undefined : `Largest on ${largest}.`,
      masked > 0 ? `${wholeNumber.format(masked)} masked.` : undefined,
    ]),
} as const;

/** Position and size of a word in the picture, in CSS px. */
export interface WordPlace {
  /** Horizontal centre of the word. */
  readonly x: number;
  /** Upper edge of the word, where arcs between words on the same line start and end. */
  readonly y: number;
  /** Height of the word. Arcs to a later line start at its lower edge; default: 0. */
  readonly height?: number;
  /** Height of the labels below the word, such as its position; default: 0. */
  readonly heightBelow?: number;
}

export interface ArcsSpec {
  readonly wordPlaces: readonly WordPlace[];
  /**
   * One weight per word, from 0 to 1; not finite for masked words. Masked words and words with weight 0 have no arc.
   */
  readonly weights: ArrayLike<number>;
  readonly queryIndex: number;
  /** Width and height of the picture, including the space for arcs above the first line. */
  readonly width: number;
  readonly height: number;
  readonly title: string;
  /** Names of the words in the picture's text description; default: word 1, word 2, ... */
  readonly words?: readonly string[] | undefined;
  /** Keys that identify the words in animations; default: their indices. */
  readonly keys?: readonly string[] | undefined;
  /** Index of the word at the cursor, whose arc is labelled with the weight. */
  readonly cursor?: number | undefined;
}

/** Returns the width of an arc in px, proportional to the square root of the weight, so that 0.02 is still visible next to 1. */
export const arcWidth = (weight: number): number => 12 * Math.sqrt(Math.min(1, Math.max(0, weight)));

export const arcOpacity = (weight: number): number => 0.25 + 0.6 * Math.sqrt(Math.min(1, Math.max(0, weight)));

/** Margin above the highest arc, in px. It contains half of the maximum arc width. */
const TOP_MARGIN = 8;
const SAME_LINE_TOLERANCE = 4;

const isSameLine = (a: WordPlace, b: WordPlace): boolean => Math.abs(a.y - b.y) <= SAME_LINE_TOLERANCE;

/**
 * Returns the height of an arc that spans `distance` px. Longer arcs are higher, so that the arcs of one word nest.
 * The longest arc spans `farthest` px, and is at most `availableHeight` px high.
 */
export function arcRise(distance: number, farthest: number, availableHeight: number): number {
  const naturalRise = (d: number): number => 12 + 0.32 * d;
  const scale = Math.min(1, Math.max(0, availableHeight) / naturalRise(farthest));
  return naturalRise(distance) * scale;
}

interface Arc {
  readonly d: string;
  /** Position of the label: the highest point of the arc, or the middle of an arc between lines. */
  readonly peak: { readonly x: number; readonly y: number };
}

const formatCurve = (points: readonly number[]): string => {
  const [x0, y0, ...controlPoints] = points.map((value) => Math.round(value * 100) / 100);
  return `M${x0},${y0}C${controlPoints.join(',')}`;
};

/** Creates the arc from one word to another. It is always a single cubic curve, so that arcs can be interpolated. */
export function createArc(from: WordPlace, to: WordPlace, rise: number): Arc {
  if (isSameLine(from, to)) {
    // A cubic Bézier curve rises to 0.75 times the height of its two control points.
    const h = rise / 0.75;
    const y = Math.min(from.y, to.y);
    return { d: formatCurve([from.x, from.y, from.x, y - h, to.x, y - h, to.x, to.y]), peak: { x: (from.x + to.x) / 2, y: y - rise } };
  }
  const isDownward = to.y > from.y;
  const y0 = isDownward ? from.y + (from.height ?? 0) : from.y;
  const y1 = isDownward ? to.y : to.y + (to.height ?? 0);
  const middleY = (y0 + y1) / 2;
  return { d: formatCurve([from.x, y0, from.x, middleY, to.x, middleY, to.x, y1]), peak: { x: (from.x + to.x) / 2, y: middleY } };
}

/** Height of a loop in px, if there is enough space. */
const LOOP_HEIGHT = 38;

export function createLoop({ x, y }: WordPlace, availableHeight: number): Arc {
  const h = Math.min(LOOP_HEIGHT, Math.max(8, availableHeight)) / 0.75;
  // A low loop is wider than it is tall, because a thick stroke would otherwise fill it completely.
  const controlOffset = Math.min(LOOP_HEIGHT / 0.75, 1.4 * h);
  return { d: formatCurve([x, y, x - controlOffset, y - h, x + controlOffset, y - h, x, y]), peak: { x, y: y - 0.75 * h } };
}

/**
 * Draws arcs from the selected word to all words with a weight above zero. The arc with the largest weight is on top.
 */
export function drawArcs(spec: ArcsSpec): Picture {
  const { wordPlaces, weights, queryIndex } = spec;
  const from = wordPlaces[queryIndex];
  const nameAt = (index: number): string => spec.words?.[index] ?? strings.word(index);
  const keyAt = (index: number): string => spec.keys?.[index] ?? String(index);
  const marks: Mark[] = [];
  if (from) {
    // Arcs on a later line stay below the words of the previous line.
    const wordsAbove = wordPlaces.filter(({ y }) => y < from.y - SAME_LINE_TOLERANCE);
    const bottomsAbove = wordsAbove.map(({ y, height = 0 }) => y + height);
    const availableHeight =
      Math.min(...wordPlaces.filter((to) => isSameLine(from, to)).map((to) => to.y)) - Math.max(0, ...bottomsAbove) - TOP_MARGIN;
    // A loop stays below the position labels of the previous line, because it would cover them. Arcs may cross the
    // labels.
    const heightBelow = Math.max(0, ...wordsAbove.map((position) => position.heightBelow ?? 0));
    const farthest = wordPlaces.reduce(
      (maxDistance, to) => (isSameLine(from, to) ? Math.max(maxDistance, Math.abs(to.x - from.x)) : maxDistance),
      1,
    );
    const drawOrder = wordPlaces.map((_, index) => index).filter((index) => (weights[index] ?? 0) > 0 && Number.isFinite(weights[index]));
    drawOrder.sort((a, b) => (weights[a] ?? 0) - (weights[b] ?? 0));
    for (const index of drawOrder) {
      const to = wordPlaces[index] as WordPlace;
      const weight = entryAt(weights, index);
      const isHighlighted = index === spec.cursor;
      const rise = arcRise(Math.abs(to.x - from.x), farthest, availableHeight);
      const arc = index === queryIndex ? createLoop(from, availableHeight - heightBelow) : createArc(from, to, rise);
      marks.push({
        kind: 'path',
        tone: isHighlighted ? 'cursor' : 'accent',
        key: `arc-${keyAt(index)}`,
        d: arc.d,
        stroke: Math.max(0.5, arcWidth(weight)),
        opacity: isHighlighted ? 1 : arcOpacity(weight),
      });
      if (isHighlighted) marks.push(...drawWeightLabel(arc, weight, spec));
    }
  }
  return {
    width: Math.max(1, spec.width),
    height: Math.max(1, spec.height),
    title: spec.title,
    description: describeArcs({ weights, queryIndex, names: wordPlaces.map((_, index) => nameAt(index)) }),
    rasters: [],
    marks: raiseLabels(marks),
  };
}

/** Draws the weight as a label on a background patch. The patch stays inside the picture. */
function drawWeightLabel({ peak }: Arc, weight: number, { width }: ArcsSpec): Mark[] {
  const text = formatNumber(weight);
  const halfWidth = textWidth(text, 12, true) / 2 + 5;
  const x = Math.min(width - halfWidth, Math.max(halfWidth, peak.x));
  const y = Math.max(9, peak.y);
  return [
    { kind: 'rect', tone: 'halo', key: 'arc-patch', x: x - halfWidth, y: y - 9, width: 2 * halfWidth, height: 18 },
    { kind: 'text', tone: 'ink', key: 'arc-weight', x, y, text, anchor: 'middle', size: 12, bold: true },
  ];
}

/** Moves labels and their patches after all arcs, so that they are drawn on top. */
const raiseLabels = (marks: readonly Mark[]): Mark[] => [
  ...marks.filter(({ kind }) => kind === 'path'),
  ...marks.filter(({ kind }) => kind !== 'path'),
];

export function describeArcs({
  weights,
  queryIndex,
  names,
}: Pick<ArcsSpec, 'weights' | 'queryIndex'> & { readonly names: readonly string[] }): string {
  const queryName = names[queryIndex];
  if (queryName === undefined) return strings.none;
  const { min, max, argmax, maskedCount } = extent(weights);
  const largestName = min < max ? (argmax === queryIndex ? strings.itself : names[argmax]) : undefined;
  return strings.weights(queryName, formatRange(min, max), largestName, maskedCount);
}
