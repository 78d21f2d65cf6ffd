// Draws a scatter plot, such as position vectors projected onto two principal components. The cursor selects a point.

import { colorOf, colorScaleOf, type ScaleKind } from '../../../charts/color.ts';
import { linearScale } from '../../../charts/curve/axis-scale.ts';
import { linePath } from '../../../charts/curve/line-path.ts';
import { valueDomain } from '../../../charts/curve/series.ts';
import { countWithNoun } from '../../../charts/english.ts';
import { entryAt } from '../../../charts/entry-at.ts';
import { extent } from '../../../charts/grid.ts';
import { colorBar } from '../../../charts/heatmap/color-bar.ts';
import { selectLabelIndices } from '../../../charts/heatmap/labels.ts';
import { formatNumber, formatRange } from '../../../charts/number.ts';
import type { Box, Mark, Theme } from '../../../charts/picture.ts';
import { type Scene, stepIndex } from '../../../charts/scene.ts';
import { LABEL_SIZE, maxTextWidth, shorten, textWidth } from '../../../charts/text-metrics.ts';

const descriptionText = (count: number, x: string, xRange: string, y: string, yRange: string) =>
  `${countWithNoun(count, 'point')}. ${x} ${xRange}; ${y} ${yRange}.`;

export interface PointsSceneSpec {
  readonly x: ArrayLike<number>;
  readonly y: ArrayLike<number>;
  readonly cursorAxis: string;
  /** Values mapped to colours. Default: the indices. */
  readonly values?: ArrayLike<number> | undefined;
  readonly scale?: ScaleKind | undefined;
  /** Name of the values in the legend, such as 'position'. */
  readonly quantity: string;
  /** Labels of the points. Default: their values. Labels that would overlap are omitted. */
  readonly labels?: readonly string[] | undefined;
  readonly isConnected?: boolean | undefined;
  readonly title: string;
  readonly xTitle: string;
  readonly yTitle: string;
  readonly width: number;
  readonly maxHeight?: number | undefined;
  readonly theme: Theme;
}

const LEGEND_HEIGHT = 52;
const TOP_MARGIN = 22;
const MAX_SIDE = 440;
/** The pointer selects a point within this distance, CSS px. */
const HIT_DISTANCE = 28;

export function pointsScene(spec: PointsSceneSpec): Scene {
  const { cursorAxis, theme } = spec;
  const count = Math.min(spec.x.length, spec.y.length);
  const values = spec.values ?? Float32Array.from({ length: count }, (_, index) => index);
  const label = (index: number): string => spec.labels?.[index] ?? formatNumber(entryAt(values, index), { short: true, digits: 6 });
  const scale = colorScaleOf(spec.scale ?? 'sequential', values, theme);
  const domains = { x: paddedDomain(spec.x), y: paddedDomain(spec.y) };
  // The plot's height is not known yet, so labels are measured for every possible number of ticks.
  const tickTexts = [2, 3, 4, 5, 6].flatMap((count) => linearScale(domains.y, [0, 1]).ticks(count).map(formatTick));
  const left = Math.ceil(maxTextWidth(tickTexts)) + 10;
  // Both axes have the same pixels per unit, so that distances are not distorted.
  const plot = layoutPlot(spec, left, (domains.y[1] - domains.y[0]) / (domains.x[1] - domains.x[0]));
  const xScale = linearScale(domains.x, [plot.x, plot.x + plot.width]);
  const yScale = linearScale(domains.y, [plot.y + plot.height, plot.y]);
  const positions = Array.from({ length: count }, (_, index) => ({ x: xScale(entryAt(spec.x, index)), y: yScale(entryAt(spec.y, index)) }));
  const isDrawn = (index: number): boolean => Number.isFinite(positions[index]?.x) && Number.isFinite(positions[index]?.y);
  const drawnIndices = Array.from({ length: count }, (_, index) => index).filter(isDrawn);
  const radius = Math.max(2.5, Math.min(6, plot.width / (4 * Math.sqrt(Math.max(1, count)))));

  const marks: Mark[] = axesMarks(
    spec,
    plot,
    xScale.ticks(chooseTickCount(plot.width)),
    yScale.ticks(chooseTickCount(plot.height)),
    xScale,
    yScale,
  );
  const connectingPath = spec.isConnected ? linePath(positions.map((position, index) => (isDrawn(index) ? position : undefined))) : '';
  if (connectingPath) marks.push({ kind: 'path', tone: 'muted', opacity: 0.6, key: 'path', d: connectingPath });
  for (const index of drawnIndices) {
    const { x, y } = positions[index] as { x: number; y: number };
    const color = colorOf(scale, entryAt(values, index));
    marks.push({ kind: 'circle', tone: 'ink', key: `point-${index}`, cx: x, cy: y, r: radius, ...(color ? { color } : {}) });
    // The outline makes pale and dark points visible on any background.
    marks.push({ kind: 'circle', tone: 'muted', cx: x, cy: y, r: radius, outline: true, stroke: 0.75 });
  }
  marks.push(...labelMarks(drawnIndices, positions, label, radius, plot));
  const legendBar = colorBar({
    scale,
    theme,
    x: plot.x,
    y: plot.y + plot.height + 42,
    width: Math.max(40, Math.min(220, (spec.width - plot.x) * 0.55)),
    caption: shorten(spec.quantity, (spec.width - plot.x) * 0.45 - 14),
    isHighlighted: false,
  });
  const [xs, ys] = [extent(spec.x), extent(spec.y)];
  return {
    picture: {
      width: Math.max(1, spec.width),
      height: Math.ceil(plot.y + plot.height + 26 + LEGEND_HEIGHT),
      title: spec.title,
      description: descriptionText(count, spec.xTitle, formatRange(xs.min, xs.max), spec.yTitle, formatRange(ys.min, ys.max)),
      rasters: legendBar.rasters,
      marks: [...marks, ...legendBar.marks],
    },
    overlay({ [cursorAxis]: index }) {
      const location = index === undefined ? undefined : positions[index];
      return index === undefined || !location || !isDrawn(index) ? [] : cursorMarks(location, label(index), radius, plot);
    },
    hit(x, y) {
      let nearestPoint: { readonly index: number; readonly distance: number } | undefined;
      for (const index of drawnIndices) {
        const point = positions[index] as { x: number; y: number };
        const distance = Math.hypot(point.x - x, point.y - y);
        if (distance <= HIT_DISTANCE && (!nearestPoint || distance < nearestPoint.distance)) nearestPoint = { index, distance };
      }
      return nearestPoint && { [cursorAxis]: nearestPoint.index };
    },
    step: (cursor, columns, rows) =>
      count === 0 ? cursor : { ...cursor, [cursorAxis]: stepIndex(cursor[cursorAxis], columns + rows, count) },
  };
}

function paddedDomain(values: ArrayLike<number>): [number, number] {
  const [lo, hi] = valueDomain(Array.from(values), false);
  const padding = (hi - lo) * 0.06;
  return [lo - padding, hi + padding];
}

const chooseTickCount = (length: number): number => Math.max(2, Math.min(6, length / 56));

/** Returns the largest plot that fits the frame. `ratio` is height divided by width. */
function layoutPlot({ width, maxHeight = Number.POSITIVE_INFINITY }: PointsSceneSpec, left: number, ratio: number): Box {
  const maxPlotWidth = Math.max(20, width - left - 12);
  const maxPlotHeight = Math.max(60, Math.min(MAX_SIDE, maxHeight - TOP_MARGIN - 26 - LEGEND_HEIGHT));
  // Collinear points would give a plot with zero height or width.
  const clampedRatio = Math.max(0.12, Math.min(3, ratio));
  const plotWidth = Math.min(maxPlotWidth, maxPlotHeight / clampedRatio);
  return { x: left, y: TOP_MARGIN, width: plotWidth, height: plotWidth * clampedRatio };
}

const formatTick = (value: number): string => formatNumber(value, { short: true });

type Scale = (value: number) => number;

function axesMarks(
  spec: PointsSceneSpec,
  plot: Box,
  xTicks: readonly number[],
  yTicks: readonly number[],
  xScale: Scale,
  yScale: Scale,
): Mark[] {
  const right = plot.x + plot.width;
  const bottom = plot.y + plot.height;
  const tone = (value: number): 'muted' | 'hairline' => (value === 0 ? 'muted' : 'hairline');
  return [
    { kind: 'text', tone: 'ink', x: 0, y: 8, text: shorten(`${spec.yTitle} ↑`, spec.width) },
    ...yTicks.flatMap((value): Mark[] => [
      { kind: 'line', tone: tone(value), x1: plot.x, y1: yScale(value), x2: right, y2: yScale(value) },
      { kind: 'text', tone: 'muted', x: plot.x - 7, y: yScale(value), text: formatTick(value), anchor: 'end' },
    ]),
    ...xTicks.flatMap((value): Mark[] => [
      { kind: 'line', tone: tone(value), x1: xScale(value), y1: plot.y, x2: xScale(value), y2: bottom },
      { kind: 'text', tone: 'muted', x: xScale(value), y: bottom + LABEL_SIZE, text: formatTick(value), anchor: 'middle' },
    ]),
    { kind: 'text', tone: 'ink', x: plot.x, y: bottom + 27, text: shorten(`${spec.xTitle} →`, spec.width - plot.x) },
  ];
}

type PlotPoint = { readonly x: number; readonly y: number };

/** Maximum number of labels, in addition to those of the first and the last point. */
const MAX_LABELS = 16;

/** Labels the first, the last and every n-th point, except where a label would overlap. */
function labelMarks(
  drawnIndices: readonly number[],
  locations: readonly PlotPoint[],
  label: (index: number) => string,
  radius: number,
  plot: Box,
): Mark[] {
  const placedBoxes: Box[] = [];
  const marks: Mark[] = [];
  const overlaps = (a: Box, b: Box): boolean => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
  const fitsPlot = (box: Box): boolean =>
    box.x >= plot.x &&
    box.x + box.width <= plot.x + plot.width + 6 &&
    box.y >= plot.y - 4 &&
    box.y + box.height <= plot.y + plot.height + 4;
  const points = drawnIndices.map((index): Box => {
    const { x, y } = locations[index] as PlotPoint;
    return { x: x - radius, y: y - radius, width: 2 * radius, height: 2 * radius };
  });
  const labelledIndices = new Set([
    drawnIndices[0],
    drawnIndices.at(-1),
    ...selectLabelIndices({ count: locations.length, pitch: MAX_LABELS, minDistance: locations.length }),
  ]);
  for (const index of labelledIndices) {
    const point = index === undefined ? undefined : locations[index];
    if (index === undefined || !point || !drawnIndices.includes(index)) continue;
    const text = shorten(label(index), 90);
    const labelWidth = textWidth(text, LABEL_SIZE) + 4;
    const labelOffset = radius + 2;
    const corners = [
      [labelOffset, -12],
      [-labelOffset - labelWidth, -12],
      [labelOffset, -2],
      [-labelOffset - labelWidth, -2],
      [-labelWidth / 2, -labelOffset - 13],
      [-labelWidth / 2, labelOffset],
    ] as const;
    const boxes = corners.map(([dx, dy]): Box => ({ x: point.x + dx, y: point.y + dy, width: labelWidth, height: 14 }));
    const box = boxes.find((candidate) => fitsPlot(candidate) && ![...points, ...placedBoxes].some((other) => overlaps(candidate, other)));
    if (!box) continue;
    placedBoxes.push(box);
    marks.push({ kind: 'text', tone: 'ink', x: box.x + 2, y: box.y + 7, text });
  }
  return marks;
}

function cursorMarks({ x, y }: PlotPoint, text: string, radius: number, plot: Box): Mark[] {
  const labelWidth = textWidth(text, LABEL_SIZE, true);
  const isLabelLeft = x + radius + LABEL_SIZE + labelWidth > plot.x + plot.width + 10;
  const labelX = isLabelLeft ? x - radius - 10 - labelWidth : x + radius + 10;
  return [
    { kind: 'circle', tone: 'halo', cx: x, cy: y, r: radius + 4, outline: true, stroke: 4.5 },
    { kind: 'circle', tone: 'cursor', cx: x, cy: y, r: radius + 4, outline: true, stroke: 2.5 },
    { kind: 'rect', tone: 'halo', x: labelX - 3, y: y - 8, width: labelWidth + 6, height: 16, opacity: 0.9 },
    { kind: 'text', tone: 'cursor', bold: true, x: labelX, y, text },
  ];
}
