// A position as the hands of clocks, fast to slow. A hand starts at twelve and turns clockwise by position * frequency,
// so its tip stands at (sin, cos): the two numbers a sinusoidal encoding writes down, and the turn RoPE makes.
import { colorOf, cyclicScale } from './color.ts';
import { shorten, textWidth, widest } from './lettering.ts';
import { formatNumber } from './number.ts';
import type { Mark, Picture } from './picture.ts';

export interface ClocksSpec {
  /** Radians per position, one per pair of dimensions. */
  readonly frequencies: ArrayLike<number>;
  /** The position shown; may be a fraction. */
  readonly position: number;
  /** How far each hand has turned, radians; position times frequency unless given. */
  readonly angles?: ArrayLike<number> | undefined;
  readonly title: string;
  /** Available width in CSS px. */
  readonly width: number;
  /** Largest height in CSS px; 240 unless given. */
  readonly maxHeight?: number | undefined;
  /** The clock the reader points at: an index into `frequencies`. */
  readonly cursor?: number | undefined;
}

export interface ClocksLayout {
  /** Indices into the frequencies, fast to slow, in reading order. */
  readonly order: readonly number[];
  readonly columns: number;
  readonly cellWidth: number;
  readonly cellHeight: number;
  readonly radius: number;
  /** Every how many clocks a period stands below its clock. */
  readonly labelled: number;
  readonly width: number;
  readonly height: number;
}

const CAPTION = 20;
const LABEL_SIZE = 10;
const LARGEST = 22;
const READABLE = 14;
const SMALLEST = 7;

/** Positions until a hand has made one turn; Infinity when it stands still. */
export const period = (frequency: number): number => (frequency === 0 ? Number.POSITIVE_INFINITY : (2 * Math.PI) / Math.abs(frequency));

const periodText = (frequency: number): string => formatNumber(period(frequency));

/**
 * The fewest rows of clocks that are still easy to read (14 px and more), then the largest clocks; smaller ones, down to
 * 7 px, only when these are too high.
 */
export function clocksLayout({ frequencies, width, maxHeight = 240 }: ClocksSpec): ClocksLayout {
  const rates = Array.from(frequencies);
  const count = rates.length;
  const order = rates.map((_, index) => index).sort((a, b) => Math.abs(rates[b] ?? 0) - Math.abs(rates[a] ?? 0) || a - b);
  const labels = widest(rates.map(periodText), LABEL_SIZE, true) + 6;
  const withRadius = (radius: number): ClocksLayout & { readonly rows: number } => {
    const cellWidth = radius > 12 ? Math.max(2 * radius + 6, labels) : 2 * radius + 6;
    const rows = Math.max(1, Math.ceil(count / Math.max(1, Math.floor(width / cellWidth))));
    const columns = Math.max(1, Math.ceil(count / rows));
    const cellHeight = 2 * radius + 22;
    const height = CAPTION + rows * cellHeight;
    return {
      order,
      columns,
      rows,
      cellWidth,
      cellHeight,
      radius,
      labelled: Math.ceil(labels / cellWidth),
      width: Math.max(1, width),
      height,
    };
  };
  let best: ReturnType<typeof withRadius> | undefined;
  for (let radius = LARGEST; radius >= SMALLEST; radius--) {
    const candidate = withRadius(radius);
    if (candidate.height > maxHeight && radius > SMALLEST) continue;
    if (!best || (radius >= READABLE && candidate.rows < best.rows)) best = candidate;
  }
  return best ?? withRadius(SMALLEST);
}

/** The centre of the clock at a place in the reading order, CSS px. */
function centre(layout: ClocksLayout, at: number): { x: number; y: number } {
  const column = at % layout.columns;
  const row = Math.floor(at / layout.columns);
  return { x: (column + 0.5) * layout.cellWidth, y: CAPTION + row * layout.cellHeight + layout.radius + 2 };
}

/** How far a hand has turned, radians. */
const turned = ({ position, frequencies, angles }: ClocksSpec, index: number): number =>
  angles?.[index] ?? position * (frequencies[index] ?? 0);

/** The clocks of one position. Keys follow the frequency's index, so hands turn when the position changes. */
export function clocks(spec: ClocksSpec): Picture & { readonly layout: ClocksLayout } {
  const layout = clocksLayout(spec);
  const phase = cyclicScale();
  const marks: Mark[] = [];
  layout.order.forEach((index, at) => {
    const frequency = spec.frequencies[index] ?? 0;
    const angle = turned(spec, index);
    const { x, y } = centre(layout, at);
    const { radius } = layout;
    const lit = index === spec.cursor;
    const turn = { degrees: (angle * 180) / Math.PI, x, y };
    const tip = Math.max(2, radius * 0.17);
    const color = colorOf(phase, angle);
    marks.push(
      {
        kind: 'circle',
        tone: lit ? 'cursor' : 'hairline',
        key: `dial-${index}`,
        cx: x,
        cy: y,
        r: radius,
        outline: true,
        stroke: lit ? 2 : 1,
      },
      { kind: 'line', tone: 'muted', x1: x, y1: y - radius, x2: x, y2: y - radius + Math.max(2, radius * 0.15) },
      {
        kind: 'line',
        tone: lit ? 'cursor' : 'ink',
        key: `hand-${index}`,
        x1: x,
        y1: y,
        x2: x,
        y2: y - radius + tip,
        turn,
        stroke: lit ? 2.5 : 1.5,
      },
      { kind: 'circle', tone: 'ink', key: `tip-${index}`, cx: x, cy: y - radius + tip, r: tip, turn, ...(color ? { color } : {}) },
    );
    if (showsPeriod(layout, at, spec.cursor)) {
      const text = periodText(frequency);
      const half = textWidth(text, LABEL_SIZE, lit) / 2;
      const from = Math.max(half, Math.min(layout.width - half, x));
      marks.push({
        kind: 'text',
        tone: lit ? 'cursor' : 'muted',
        bold: lit,
        size: LABEL_SIZE,
        x: from,
        y: y + radius + 9,
        text,
        anchor: 'middle',
      });
    }
  });
  marks.push({ kind: 'text', tone: 'muted', x: 0, y: 7, text: shorten(caption(spec), layout.width) });
  return { width: layout.width, height: layout.height, title: spec.title, description: summary(spec, layout), rasters: [], marks, layout };
}

/** Labels stand under evenly chosen clocks of a row and under the one pointed at, whose neighbours make room. */
function showsPeriod({ order, columns, labelled }: ClocksLayout, at: number, cursor: number | undefined): boolean {
  if (order[at] === cursor) return true;
  const lit = cursor === undefined ? -1 : order.indexOf(cursor);
  const crowded = lit >= 0 && Math.floor(lit / columns) === Math.floor(at / columns) && Math.abs(lit - at) < labelled;
  return !crowded && (at % columns) % labelled === 0;
}

function caption(spec: ClocksSpec): string {
  const { position, frequencies, cursor } = spec;
  if (cursor === undefined || frequencies[cursor] === undefined) return 'positions per turn, fast to slow';
  return `pair ${cursor}: ${formatNumber(turned(spec, cursor) / (2 * Math.PI))} turns at position ${formatNumber(position, { short: true })}`;
}

function summary({ frequencies, position }: ClocksSpec, { order }: ClocksLayout): string {
  if (order.length === 0) return 'No clocks.';
  const fast = periodText(frequencies[order[0] as number] as number);
  const slow = periodText(frequencies[order[order.length - 1] as number] as number);
  const where = `at position ${formatNumber(position, { short: true })}`;
  if (order.length === 1) return `One clock ${where}, one turn in ${fast} positions.`;
  return `${order.length} clocks ${where}; one turn takes from ${fast} to ${slow} positions.`;
}

/** The clock under a point of the picture (CSS px), as an index into the frequencies. */
export function clockAt(layout: ClocksLayout, x: number, y: number): number | undefined {
  const column = Math.floor(x / layout.cellWidth);
  const row = Math.floor((y - CAPTION) / layout.cellHeight);
  if (column < 0 || column >= layout.columns || row < 0) return undefined;
  return layout.order[row * layout.columns + column];
}
