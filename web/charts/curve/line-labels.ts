// The labels of a line chart: names at the right ends of the lines, and values at the cursor.

import { entryAt } from '../entry-at.ts';
import { formatNumber } from '../number.ts';
import type { Box, Mark, Tone } from '../picture.ts';
import { VIEW_STRINGS } from '../strings.ts';
import { LABEL_SIZE, maxTextWidth, textWidth } from '../text-metrics.ts';
import type { AxisScale } from './axis-scale.ts';
import { findNearestPoint, lastPoint, type Series, seriesTone } from './series.ts';

/** Spreads labels so that their y coordinates are at least LABEL_SIZE + 3 px apart, and between `low` and `high`. */
export function spreadLabels(requestedHeights: readonly number[], low: number, high: number): number[] {
  const minGap = LABEL_SIZE + 3;
  const order = requestedHeights.map((_, index) => index).sort((a, b) => (requestedHeights[a] ?? 0) - (requestedHeights[b] ?? 0));
  const heights = [...requestedHeights];
  let nextFreeY = low;
  for (const index of order) {
    heights[index] = Math.max(entryAt(heights, index), nextFreeY);
    nextFreeY = entryAt(heights, index) + minGap;
  }
  let nextMaxY = high;
  for (const index of order.reverse()) {
    heights[index] = Math.min(entryAt(heights, index), nextMaxY);
    nextMaxY = entryAt(heights, index) - minGap;
  }
  return heights;
}

/** Labels the lines at their right ends. A single line is not labelled. */
export function nameMarks(series: readonly Series[], names: readonly string[], plot: Box, toY: AxisScale): Mark[] {
  if (series.length < 2) return [];
  const endHeights = series.map((line) => toY(lastPoint(line)?.y ?? toY.domain()[0] ?? 0));
  return spreadLabels(endHeights, plot.y, plot.y + plot.height).flatMap((y, index): Mark[] =>
    series[index]?.end === undefined
      ? [{ kind: 'text', tone: seriesTone(series, index), x: plot.x + plot.width + 7, y, text: names[index] as string }]
      : [],
  );
}

/** Cursor marks: a vertical line, a dot on every line, the values on the side with more space, and the names of the lines. */
export function cursorMarks(
  series: readonly Series[],
  cursor: number,
  names: readonly string[],
  plot: Box,
  toX: AxisScale,
  toY: AxisScale,
): Mark[] {
  const nearestPoints = series.map((line) => findNearestPoint(line, cursor));
  const cursorX = nearestPoints.find((point) => point)?.x;
  if (cursorX === undefined) return [];
  const pointerValues = nearestPoints.map((point, index) => ({ tone: seriesTone(series, index), point }));
  return [...pointerMarks(cursorX, pointerValues, plot, toX, toY), ...nameMarks(series, names, plot, toY)];
}

export interface PointerValue {
  readonly tone: Tone;
  readonly point: { readonly x: number; readonly y: number } | undefined;
}

/** The vertical line, the dots and the values at the cursor. They cover the tick labels in `chartMarks`. */
export function pointerMarks(
  at: number,
  pointerValues: readonly PointerValue[],
  plot: Box,
  toX: AxisScale,
  toY: AxisScale,
  chartMarks: readonly Mark[] = [],
): Mark[] {
  const x = toX(at);
  const marks: Mark[] = [{ kind: 'line', tone: 'cursor', key: 'cursor', x1: x, y1: plot.y, x2: x, y2: plot.y + plot.height }];
  const bottom = toY.domain()[0] ?? 0;
  const heights = spreadLabels(
    pointerValues.map(({ point }) => toY(point?.y ?? bottom)),
    plot.y,
    plot.y + plot.height,
  );
  const texts = pointerValues.map(({ point }) => (point ? formatNumber(point.y) : VIEW_STRINGS.noValue));
  const labelSpace = maxTextWidth(texts, LABEL_SIZE, true) + 12;
  const isLeft = x + labelSpace > plot.x + plot.width;
  pointerValues.forEach(({ tone, point }, index) => {
    const y = entryAt(heights, index);
    const text = texts[index] as string;
    if (point) marks.push({ kind: 'circle', tone, cx: toX(point.x), cy: toY(point.y), r: 3.5 });
    const labelWidth = textWidth(text, LABEL_SIZE, true) + 6;
    marks.push({
      kind: 'rect',
      tone: 'halo',
      x: isLeft ? x - 6 - labelWidth : x + 6,
      y: y - 7,
      width: labelWidth,
      height: 14,
      opacity: 0.85,
    });
    marks.push({ kind: 'text', tone, bold: true, x: isLeft ? x - 9 : x + 9, y, text, anchor: isLeft ? 'end' : 'start' });
  });
  return [...marks, ...axisPointerMarks(x, plot.y + plot.height + 6, at, chartMarks)];
}

/** Draws the x value at the cursor over the tick labels at `top`, and completely hides those that it overlaps. */
export function axisPointerMarks(x: number, top: number, at: number, chartMarks: readonly Mark[]): Mark[] {
  const text = formatNumber(at, { short: true, digits: 6 });
  const labelWidth = textWidth(text, LABEL_SIZE, true) + 10;
  const coverMarks = chartMarks.flatMap((mark): Mark[] => {
    if (mark.kind !== 'text' || mark.anchor !== 'middle' || mark.y !== top + 7) return [];
    const markWidth = textWidth(mark.text) + 2;
    return Math.abs(mark.x - x) < (markWidth + labelWidth) / 2
      ? [{ kind: 'rect', tone: 'halo', x: mark.x - markWidth / 2, y: top, width: markWidth, height: 15 }]
      : [];
  });
  return [
    { kind: 'rect', tone: 'halo', x: x - labelWidth / 2, y: top, width: labelWidth, height: 15 },
    ...coverMarks,
    { kind: 'text', tone: 'cursor', bold: true, x, y: top + 7, text, anchor: 'middle' },
  ];
}
