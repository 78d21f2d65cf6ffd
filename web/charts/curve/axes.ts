// The axes of a line chart: scales, ticks, shaded regions and guides.

import { formatNumber } from '../number.ts';
import type { Box, Mark } from '../picture.ts';
import { LABEL_SIZE, shorten, textWidth } from '../text-metrics.ts';
import { type AxisScale, linearScale, logScale } from './axis-scale.ts';
import { valueDomain } from './series.ts';

export type AxisKind = 'linear' | 'log';

/** A shaded interval of the x axis, such as the training lengths. */
export interface Region {
  readonly from: number;
  readonly to: number;
  readonly label: string;
}

/** A dashed line across the plot at an x or y coordinate. */
export interface Guide {
  readonly axis: 'x' | 'y';
  readonly at: number;
  readonly label: string;
}

/** Returns a domain of positive width that contains the values. A logarithmic axis ignores values that are not positive. */
export function axisDomain(kind: AxisKind, values: readonly number[], shouldRound: boolean): readonly [number, number] {
  if (kind === 'linear') return valueDomain(values, shouldRound);
  const logarithms = values.filter((value) => value > 0).map(Math.log10);
  if (logarithms.length === 0) return [1, 10];
  const [lo, hi] = valueDomain(logarithms, false);
  return shouldRound ? [10 ** Math.floor(lo), 10 ** Math.ceil(hi)] : [10 ** lo, 10 ** hi];
}

export const axisScale = (kind: AxisKind, [lo, hi]: readonly [number, number], range: readonly [number, number]): AxisScale =>
  (kind === 'log' ? logScale : linearScale)([lo, hi], range);

/** About `count` round values. On a logarithmic axis these are powers of ten, if there are at least two. */
export function axisTicks(kind: AxisKind, scale: AxisScale, count: number): number[] {
  if (kind === 'linear') return scale.ticks(count);
  const powersOfTen = scale.ticks(count).filter((value) => Number.isInteger(Math.round(Math.log10(value) * 1e9) / 1e9));
  if (powersOfTen.length < 2) return scale.ticks(3).slice(0, 2 * count);
  const interval = Math.ceil(powersOfTen.length / Math.max(1, count));
  return powersOfTen.filter((_, index) => index % interval === 0);
}

export interface AxesSpec {
  readonly xTitle: string;
  readonly yTitle: string;
  readonly width: number;
  readonly xScale?: AxisKind | undefined;
  readonly yScale?: AxisKind | undefined;
  /** The tick values of the x axis; default: round values. */
  readonly xTicks?: readonly number[] | undefined;
  readonly regions?: readonly Region[] | undefined;
  readonly guides?: readonly Guide[] | undefined;
}

export function drawAxes(spec: AxesSpec, plot: Box, toX: AxisScale, toY: AxisScale): Mark[] {
  const marks: Mark[] = [{ kind: 'text', tone: 'ink', x: 0, y: 8, text: shorten(`${spec.yTitle} ↑`, spec.width) }];
  const right = plot.x + plot.width;
  const bottom = plot.y + plot.height;
  marks.push(...(spec.regions ?? []).flatMap((region) => regionMarks(region, plot, toX)));
  for (const value of axisTicks(spec.yScale ?? 'linear', toY, Math.max(2, Math.min(5, plot.height / 28)))) {
    const y = toY(value);
    marks.push({ kind: 'line', tone: value === 0 ? 'muted' : 'hairline', x1: plot.x, y1: y, x2: right, y2: y });
    marks.push({ kind: 'text', tone: 'muted', x: plot.x - 7, y, text: formatNumber(value, { short: true }), anchor: 'end' });
  }
  for (const value of spec.xTicks ?? axisTicks(spec.xScale ?? 'linear', toX, Math.max(2, Math.min(8, plot.width / 64)))) {
    const x = toX(value);
    marks.push({ kind: 'line', tone: 'muted', x1: x, y1: bottom, x2: x, y2: bottom + 4 });
    marks.push({
      kind: 'text',
      tone: 'muted',
      x,
      y: bottom + 13,
      text: formatNumber(value, { short: true, digits: 6 }),
      anchor: 'middle',
    });
  }
  marks.push(...(spec.guides ?? []).flatMap((guide) => guideMarks(guide, plot, toX, toY)));
  marks.push({ kind: 'text', tone: 'ink', x: right, y: bottom + 30, text: shorten(`${spec.xTitle} →`, right), anchor: 'end' });
  return marks;
}

/** How far a label may extend beyond its region, in CSS px. */
const MAX_OVERHANG = 24;

function regionMarks({ from, to, label }: Region, plot: Box, toX: AxisScale): Mark[] {
  const plotRight = plot.x + plot.width;
  const clamp = (x: number): number => Math.max(plot.x, Math.min(plotRight, x));
  const [left, right] = [clamp(toX(from)), clamp(toX(to))];
  if (!(right > left)) return [];
  const text = shorten(label, Math.min(right + MAX_OVERHANG, plotRight) - left - 8);
  return [
    { kind: 'rect', tone: 'hairline', opacity: 0.4, x: left, y: plot.y, width: right - left, height: plot.height },
    ...(text.length > 2 ? [{ kind: 'text', tone: 'muted', x: left + 4, y: plot.y + 8, text } as const] : []),
  ];
}

function guideMarks({ axis, at, label }: Guide, plot: Box, toX: AxisScale, toY: AxisScale): Mark[] {
  const right = plot.x + plot.width;
  const bottom = plot.y + plot.height;
  if (axis === 'y') {
    const y = toY(at);
    if (!(y >= plot.y && y <= bottom)) return [];
    // Labels of horizontal guides are added after the lines are drawn (guide-label.ts).
    return [{ kind: 'line', tone: 'muted', dashed: true, x1: plot.x, y1: y, x2: right, y2: y }];
  }
  const x = toX(at);
  if (!(x >= plot.x && x <= right)) return [];
  // The label is to the right of the guide if it fits there, otherwise on the side with more space.
  const [leftSpace, rightSpace] = [x - plot.x - 6, right - x - 6];
  const isLeft = textWidth(label, LABEL_SIZE) > rightSpace && leftSpace > rightSpace;
  const text = shorten(label, isLeft ? leftSpace : rightSpace);
  return [
    { kind: 'line', tone: 'muted', dashed: true, x1: x, y1: plot.y, x2: x, y2: bottom },
    { kind: 'text', tone: 'muted', x: isLeft ? x - 5 : x + 5, y: plot.y + 8, text, anchor: isLeft ? 'end' : 'start' },
  ];
}
