// Draws a bar chart of the change in each word's output, on a logarithmic axis if the changes differ by orders of magnitude.

import { linearScale, logScale, niceDomain } from '../../../charts/curve/axis-scale.ts';
import { countWithNoun, joinSentences } from '../../../charts/english.ts';
import { entryAt } from '../../../charts/entry-at.ts';
import { extent } from '../../../charts/grid.ts';
import { selectLabelIndices } from '../../../charts/heatmap/labels.ts';
import { formatExact, formatNumber, formatPowerOfTen, formatRange } from '../../../charts/number.ts';
import type { Mark, Picture } from '../../../charts/picture.ts';
import { LABEL_SIZE, maxTextWidth, shorten, textWidth } from '../../../charts/text-metrics.ts';
import { strings as STRINGS } from './strings.ts';

const AXIS_STRINGS = {
  quantity: 'difference',
  scaleName: (isLogarithmic: boolean) => (isLogarithmic ? 'logarithmic scale' : 'linear scale'),
  axisTitle: (quantity: string, scale: string) => `${quantity}, ${scale}`,
  noDifferences: 'No differences.',
  description: (wordCount: number, range: string, scale: string, mostChangedWord: string | undefined) =>
    joinSentences([
      `${countWithNoun(wordCount, 'word')}, differences ${range} on a ${scale}.`,
      mostChangedWord === undefined ? undefined : `${mostChangedWord} changed most.`,
    ]),
} as const;

export interface OutputChangeSpec {
  readonly words: readonly string[];
  /** One non-negative difference per word. Non-finite differences have no bar. */
  readonly differences: ArrayLike<number>;
  readonly title: string;
  /** Available width in CSS px. */
  readonly width: number;
  /** Maximum height in CSS px. Default: 480. */
  readonly maxHeight?: number | undefined;
  /** Quantity in the axis title. Default: 'difference'. */
  readonly quantity?: string | undefined;
  /** With 'auto' (default), the axis is logarithmic if the displayed values differ by more than a factor of 300. */
  readonly axis?: 'auto' | 'linear' | 'log' | undefined;
  /** Differences up to this value are treated as rounding errors and have no bar. Default: 0. */
  readonly maxRoundingError?: number | undefined;
  /** A reference value shown on the axis, such as the largest output. */
  readonly reference?: { readonly value: number; readonly label: string } | undefined;
  /** Keys that identify the words in animations. Default: the index. */
  readonly keys?: readonly string[] | undefined;
  /** Index of the word under the pointer. */
  readonly cursor?: number | undefined;
}

export interface OutputChangeLayout {
  readonly count: number;
  /** Upper edge of the first row and height of each row, CSS px. */
  readonly top: number;
  readonly pitch: number;
}

interface Axis {
  readonly isLogarithmic: boolean;
  /** The x coordinate of the value 0, where bars start. */
  readonly start: number;
  readonly end: number;
  readonly toX: (value: number) => number;
  readonly ticks: readonly { readonly x: number; readonly text: string }[];
}

const AXIS_HEIGHT = 38;
const WORD_FONT_SIZE = 14;
const ZERO_SPACE = 32;

/**
 * Creates the axis of the differences. It is linear from zero, or logarithmic over whole decades with a separate zero
 * on the left.
 */
export function createOutputChangeAxis(values: readonly number[], scaleType: 'auto' | 'linear' | 'log', start: number, end: number): Axis {
  const positiveValues = values.filter((value) => value > 0 && Number.isFinite(value));
  const min = Math.min(...positiveValues);
  const max = Math.max(...positiveValues);
  const isLogarithmic = positiveValues.length > 0 && (scaleType === 'log' || (scaleType === 'auto' && max / min > 300));
  if (!isLogarithmic) {
    const scale = linearScale(niceDomain([0, positiveValues.length ? max : 1], 4), [start, end]);
    const ticks = scale.ticks(4).map((value) => ({ x: scale(value), text: formatNumber(value, { short: true }) }));
    return { isLogarithmic, start, end, toX: (value) => scale(value), ticks: positiveValues.length > 0 ? ticks : ticks.slice(0, 1) };
  }
  const minPower = Math.floor(Math.log10(min) + 1e-9) - (Number.isInteger(Math.log10(min)) ? 1 : 0);
  const maxPower = Math.max(minPower + 1, Math.ceil(Math.log10(max) - 1e-9));
  const scale = logScale([10 ** minPower, 10 ** maxPower], [start + ZERO_SPACE, end]);
  const tickStep = Math.ceil(((maxPower - minPower) * 34) / Math.max(34, end - start));
  const powers = Array.from({ length: maxPower - minPower + 1 }, (_, i) => minPower + i).filter(
    (power) => (power - maxPower) % tickStep === 0,
  );
  const ticks = powers.map((power) => ({ x: scale(10 ** power), text: power === 0 ? '1' : formatPowerOfTen(power) }));
  return {
    isLogarithmic,
    start,
    end,
    toX: (value) => (value > 0 ? scale(value) : start),
    ticks: [{ x: start, text: '0' }, ...ticks],
  };
}

/** Draws horizontal bars with their values under a labelled axis. */
export function createOutputChangePicture(spec: OutputChangeSpec): Picture & { readonly layout: OutputChangeLayout } {
  const { words, cursor, maxRoundingError = 0 } = spec;
  const exceedsRounding = (value: number): boolean => value > maxRoundingError;
  const values = words.map((_, index) => spec.differences[index] ?? Number.NaN);
  const width = Math.max(1, spec.width);
  const pitch = Math.max(4, Math.min(22, Math.floor(((spec.maxHeight ?? 480) - AXIS_HEIGHT - 6) / Math.max(1, words.length))));
  const wordLabels = words.map((word) => shorten(word, Math.min(110, width * 0.3), WORD_FONT_SIZE, true));
  const barsStart = Math.ceil(maxTextWidth(wordLabels, WORD_FONT_SIZE, true)) + 15;
  const valueTexts = values.map((value) =>
    Number.isNaN(value)
      ? 'unknown'
      : exceedsRounding(value) || value === 0
        ? formatExact(value)
        : STRINGS.roundingLabel(formatExact(value)),
  );
  const axis = createOutputChangeAxis(
    [...values.filter(exceedsRounding), spec.reference?.value ?? 0],
    spec.axis ?? 'auto',
    barsStart,
    Math.max(barsStart + 40, width - maxTextWidth(valueTexts, LABEL_SIZE, true) - 12),
  );
  const layout = { count: words.length, top: AXIS_HEIGHT, pitch };
  const bottom = AXIS_HEIGHT + words.length * pitch;
  const marks: Mark[] = [...createAxisMarks(spec, axis, bottom)];
  const labelledRows = new Set(selectLabelIndices({ count: words.length, pitch, minDistance: 14, cursor }));
  words.forEach((_, index) => {
    const y = AXIS_HEIGHT + (index + 0.5) * pitch;
    const key = spec.keys?.[index] ?? String(index);
    const value = entryAt(values, index);
    const isHighlighted = index === cursor;
    const thickness = Math.max(2, Math.min(12, pitch - 6));
    const end = Number.isFinite(value) && exceedsRounding(value) ? axis.toX(value) : axis.start;
    if (end > axis.start)
      marks.push({
        kind: 'rect',
        tone: isHighlighted ? 'cursor' : 'accent',
        key: `bar-${key}`,
        x: axis.start,
        y: y - thickness / 2,
        width: end - axis.start,
        height: thickness,
      });
    if (!labelledRows.has(index)) return;
    marks.push(
      {
        kind: 'text',
        tone: isHighlighted ? 'cursor' : 'ink',
        bold: isHighlighted,
        key: `word-${key}`,
        x: barsStart - 10,
        y,
        text: wordLabels[index] as string,
        anchor: 'end',
        size: WORD_FONT_SIZE,
      },
      {
        kind: 'rect',
        tone: 'halo',
        key: `patch-${key}`,
        x: end + 3,
        y: y - 7,
        width: textWidth(valueTexts[index] as string, LABEL_SIZE, isHighlighted) + 5,
        height: 14,
      },
      {
        kind: 'text',
        tone: isHighlighted ? 'cursor' : 'muted',
        bold: isHighlighted,
        key: `number-${key}`,
        x: end + 6,
        y,
        text: valueTexts[index] as string,
      },
    );
  });
  return {
    width,
    height: Math.ceil(bottom + (spec.reference ? 22 : 6)),
    title: spec.title,
    description: describeChanges(spec, values, axis.isLogarithmic),
    rasters: [],
    marks,
    layout,
  };
}

function createAxisMarks({ quantity = AXIS_STRINGS.quantity, reference, width }: OutputChangeSpec, axis: Axis, bottom: number): Mark[] {
  const axisTitle = AXIS_STRINGS.axisTitle(quantity, AXIS_STRINGS.scaleName(axis.isLogarithmic));
  // If the title does not fit to the right of the axis start, it is placed at the left edge. If it is wider than the
  // picture, only the quantity is drawn.
  const isTitleFitting = textWidth(axisTitle) <= width - axis.start;
  const text = isTitleFitting ? axisTitle : textWidth(axisTitle) <= width ? axisTitle : shorten(quantity, width);
  const marks: Mark[] = [{ kind: 'text', tone: 'muted', x: isTitleFitting ? axis.start : 0, y: 7, text }];
  let nextFreeX = Number.NEGATIVE_INFINITY;
  for (const { x, text } of axis.ticks) {
    marks.push({ kind: 'line', tone: 'hairline', x1: x, y1: AXIS_HEIGHT - 6, x2: x, y2: bottom });
    const halfWidth = textWidth(text) / 2;
    if (x - halfWidth < nextFreeX) continue;
    marks.push({ kind: 'text', tone: 'muted', x, y: AXIS_HEIGHT - 13, text, anchor: 'middle' });
    nextFreeX = x + halfWidth + 6;
  }
  marks.push({ kind: 'line', tone: 'ink', x1: axis.start, y1: AXIS_HEIGHT - 6, x2: axis.start, y2: bottom });
  if (reference && reference.value > 0) {
    const x = axis.toX(reference.value);
    marks.push({ kind: 'line', tone: 'muted', dashed: true, x1: x, y1: AXIS_HEIGHT - 6, x2: x, y2: bottom + 5 });
    const halfWidth = textWidth(reference.label) / 2;
    const middle = Math.max(halfWidth, Math.min(width - halfWidth, x));
    marks.push({ kind: 'text', tone: 'muted', x: middle, y: bottom + 13, text: shorten(reference.label, width), anchor: 'middle' });
  }
  return marks;
}

function describeChanges({ words }: OutputChangeSpec, values: readonly number[], isLogarithmic: boolean): string {
  const { noDifferences, description, scaleName } = AXIS_STRINGS;
  const { min, max, argmax } = extent(values);
  if (argmax < 0) return noDifferences;
  return description(words.length, formatRange(min, max), scaleName(isLogarithmic), min < max ? words[argmax] : undefined);
}

/** Returns the index of the bar at height y in the picture (CSS px). */
export function findBarIndex({ count, top, pitch }: OutputChangeLayout, y: number): number | undefined {
  const index = Math.floor((y - top) / pitch);
  return index >= 0 && index < count ? index : undefined;
}
