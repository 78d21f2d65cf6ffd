// Shows a position as clock hands, from fast to slow. A hand starts at twelve o'clock and rotates clockwise by position * frequency. Its tip is at
// (sin, cos): two entries of a sinusoidal table, or a rotation by RoPE.

import { colorOf, cyclicScale } from '../color.ts';
import { wholeNumber } from '../english.ts';
import { entryAt } from '../entry-at.ts';
import { formatNumber } from '../number.ts';
import type { Mark, Picture } from '../picture.ts';
import { LABEL_SIZE, maxTextWidth, shorten, textWidth } from '../text-metrics.ts';

const strings = {
  caption: 'period in positions, fast to slow',
  pair: (pair: number, rotations: string, position: string) => `pair ${pair} at ${position}: ${rotations} rotations`,
  none: 'No clock dials.',
  one: (position: string, periodOf: string) => `One clock dial at position ${position}, with a period of ${periodOf} positions.`,
  several: (count: number, position: string, shortestPeriod: string, longestPeriod: string) =>
    `${wholeNumber.format(count)} clock dials at position ${position}; periods from ${shortestPeriod} to ${longestPeriod} positions.`,
} as const;

export interface ClocksSpec {
  /** The frequency of each channel pair, in radians per position. */
  readonly frequencies: ArrayLike<number>;
  readonly position: number;
  /** The angle of each hand in radians; default: position times frequency. */
  readonly angles?: ArrayLike<number> | undefined;
  readonly title: string;
  readonly width: number;
  /** Maximum height in CSS px; default: 240. */
  readonly maxHeight?: number | undefined;
  /** The clock at the cursor: an index into `frequencies`. */
  readonly cursor?: number | undefined;
}

export interface ClocksLayout {
  /** Frequency indices in reading order, from fast to slow. */
  readonly order: readonly number[];
  readonly columns: number;
  readonly cellWidth: number;
  readonly cellHeight: number;
  readonly radius: number;
  /** Every `labelInterval`-th clock of a row is labelled with its period. */
  readonly labelInterval: number;
  readonly width: number;
  readonly height: number;
}

const CAPTION_HEIGHT = 20;
const MAX_RADIUS = 22;
const READABLE_RADIUS = 14;
const MIN_RADIUS = 7;

/** The period in positions; Infinity for frequency 0. */
export const period = (frequency: number): number => (frequency === 0 ? Number.POSITIVE_INFINITY : (2 * Math.PI) / Math.abs(frequency));

const periodText = (frequency: number): string => formatNumber(period(frequency));

/**
 * Finds the layout with the fewest rows and a radius of at least 14 px; ties go to the largest radius. If no such layout fits the height, the radius
 * shrinks to as little as 7 px.
 */
export function clocksLayout({ frequencies, width, maxHeight = 240 }: ClocksSpec): ClocksLayout {
  const frequencyList = Array.from(frequencies);
  const count = frequencyList.length;
  const order = frequencyList
    .map((_, index) => index)
    .sort((a, b) => Math.abs(frequencyList[b] ?? 0) - Math.abs(frequencyList[a] ?? 0) || a - b);
  const labelWidth = maxTextWidth(frequencyList.map(periodText), LABEL_SIZE, true) + 6;
  const layoutWithRadius = (radius: number): ClocksLayout & { readonly rows: number } => {
    const cellWidth = radius > 12 ? Math.max(2 * radius + 6, labelWidth) : 2 * radius + 6;
    const rows = Math.max(1, Math.ceil(count / Math.max(1, Math.floor(width / cellWidth))));
    const columns = Math.max(1, Math.ceil(count / rows));
    const cellHeight = 2 * radius + 22;
    const height = CAPTION_HEIGHT + rows * cellHeight;
    return {
      order,
      columns,
      rows,
      cellWidth,
      cellHeight,
      radius,
      labelInterval: Math.ceil(labelWidth / cellWidth),
      width: Math.max(1, width),
      height,
    };
  };
  let bestLayout: ReturnType<typeof layoutWithRadius> | undefined;
  for (let radius = MAX_RADIUS; radius >= MIN_RADIUS; radius--) {
    const candidateLayout = layoutWithRadius(radius);
    if (candidateLayout.height > maxHeight && radius > MIN_RADIUS) continue;
    if (!bestLayout || (radius >= READABLE_RADIUS && candidateLayout.rows < bestLayout.rows)) bestLayout = candidateLayout;
  }
  return bestLayout ?? layoutWithRadius(MIN_RADIUS);
}

function centreOf(layout: ClocksLayout, at: number): { x: number; y: number } {
  const column = at % layout.columns;
  const row = Math.floor(at / layout.columns);
  return { x: (column + 0.5) * layout.cellWidth, y: CAPTION_HEIGHT + row * layout.cellHeight + layout.radius + 2 };
}

const handAngle = ({ position, frequencies, angles }: ClocksSpec, index: number): number =>
  angles?.[index] ?? position * (frequencies[index] ?? 0);

/** Draws the clocks of one position. Mark keys are frequency indices, so that hands rotate when the position changes. */
export function renderClocks(spec: ClocksSpec): Picture & { readonly layout: ClocksLayout } {
  const layout = clocksLayout(spec);
  const phaseScale = cyclicScale();
  const marks: Mark[] = [];
  layout.order.forEach((index, at) => {
    const frequency = spec.frequencies[index] ?? 0;
    const angle = handAngle(spec, index);
    const { x, y } = centreOf(layout, at);
    const { radius } = layout;
    const isHighlighted = index === spec.cursor;
    const rotation = { degrees: (angle * 180) / Math.PI, x, y };
    const tipRadius = Math.max(2, radius * 0.17);
    const color = colorOf(phaseScale, angle);
    marks.push(
      {
        kind: 'circle',
        tone: isHighlighted ? 'cursor' : 'hairline',
        key: `dial-${index}`,
        cx: x,
        cy: y,
        r: radius,
        outline: true,
        stroke: isHighlighted ? 2 : 1,
      },
      { kind: 'line', tone: 'muted', x1: x, y1: y - radius, x2: x, y2: y - radius + Math.max(2, radius * 0.15) },
      {
        kind: 'line',
        tone: isHighlighted ? 'cursor' : 'ink',
        key: `hand-${index}`,
        x1: x,
        y1: y,
        x2: x,
        y2: y - radius + tipRadius,
        rotation,
        stroke: isHighlighted ? 2.5 : 1.5,
      },
      {
        kind: 'circle',
        tone: 'ink',
        key: `tip-${index}`,
        cx: x,
        cy: y - radius + tipRadius,
        r: tipRadius,
        rotation,
        ...(color ? { color } : {}),
      },
    );
    if (showsPeriod(layout, at, spec.cursor)) {
      const text = periodText(frequency);
      const halfWidth = textWidth(text, LABEL_SIZE, isHighlighted) / 2;
      const textX = Math.max(halfWidth, Math.min(layout.width - halfWidth, x));
      marks.push({
        kind: 'text',
        tone: isHighlighted ? 'cursor' : 'muted',
        bold: isHighlighted,
        x: textX,
        y: y + radius + 9,
        text,
        anchor: 'middle',
      });
    }
  });
  marks.push({ kind: 'text', tone: 'muted', x: 0, y: 7, text: shorten(caption(spec), layout.width) });
  return {
    width: layout.width,
    height: layout.height,
    title: spec.title,
    description: describeClocks(spec, layout),
    rasters: [],
    marks,
    layout,
  };
}

/** Whether a clock is labelled: every n-th clock of a row, except near the clock at the cursor, which is always labelled. */
function showsPeriod({ order, columns, labelInterval }: ClocksLayout, at: number, cursor: number | undefined): boolean {
  if (order[at] === cursor) return true;
  const highlightedIndex = cursor === undefined ? -1 : order.indexOf(cursor);
  const isCrowded =
    highlightedIndex >= 0 &&
    Math.floor(highlightedIndex / columns) === Math.floor(at / columns) &&
    Math.abs(highlightedIndex - at) < labelInterval;
  return !isCrowded && (at % columns) % labelInterval === 0;
}

function caption(spec: ClocksSpec): string {
  const { position, frequencies, cursor } = spec;
  if (cursor === undefined || frequencies[cursor] === undefined) return strings.caption;
  return strings.pair(cursor, formatNumber(handAngle(spec, cursor) / (2 * Math.PI)), formatNumber(position, { short: true }));
}

function describeClocks({ frequencies, position }: ClocksSpec, { order }: ClocksLayout): string {
  if (order.length === 0) return strings.none;
  const shortestPeriod = periodText(entryAt(frequencies, entryAt(order, 0)));
  const longestPeriod = periodText(entryAt(frequencies, entryAt(order, order.length - 1)));
  const positionText = formatNumber(position, { short: true });
  if (order.length === 1) return strings.one(positionText, shortestPeriod);
  return strings.several(order.length, positionText, shortestPeriod, longestPeriod);
}

/** Returns the clock under a point of the picture (CSS px), as an index into `frequencies`. */
export function clockAt(layout: ClocksLayout, x: number, y: number): number | undefined {
  const column = Math.floor(x / layout.cellWidth);
  const row = Math.floor((y - CAPTION_HEIGHT) / layout.cellHeight);
  if (column < 0 || column >= layout.columns || row < 0) return undefined;
  return layout.order[row * layout.columns + column];
}
