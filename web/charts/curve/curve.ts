// A line chart, such as attention by distance, whose lines are labelled at their right ends.

import { entryAt } from '../entry-at.ts';
import { extent } from '../grid.ts';
import { formatNumber, formatRange } from '../number.ts';
import type { Box, Mark, Picture } from '../picture.ts';
import { VIEW_STRINGS } from '../strings.ts';
import { LABEL_SIZE, maxTextWidth, shorten } from '../text-metrics.ts';
import { type AxesSpec, type AxisKind, axisDomain, axisScale, axisTicks, drawAxes } from './axes.ts';
import type { AxisScale } from './axis-scale.ts';
import { type DrawnLine, guideLabelMarks } from './guide-label.ts';
import { cursorMarks, nameMarks } from './line-labels.ts';
import { type Series, seriesMarks, seriesTone } from './series.ts';

export type { Series };

export interface CurveSpec extends AxesSpec {
  /** The lines; up to six have distinct colours. */
  readonly series: readonly Series[];
  readonly title: string;
  readonly height: number;
  /** A fixed range of the y axis. The default is the range of the data, rounded. */
  readonly yDomain?: readonly [number, number] | undefined;
  /** Minimum left and right margins in CSS px. Equal margins align the plots of several charts. */
  readonly margins?: readonly [left: number, right: number] | undefined;
  /** The cursor's x coordinate, at which the chart shows the value of every line. */
  readonly cursor?: number | undefined;
}

export interface CurveLayout {
  readonly plot: Box;
  readonly xDomain: readonly [number, number];
  readonly yDomain: readonly [number, number];
  readonly xScale: AxisKind;
  readonly yScale: AxisKind;
  readonly names: readonly string[];
}

export const createScales = ({
  plot,
  xDomain,
  yDomain,
  xScale,
  yScale,
}: Omit<CurveLayout, 'names'>): { toX: AxisScale; toY: AxisScale } => ({
  toX: axisScale(xScale, xDomain, [plot.x, plot.x + plot.width]),
  toY: axisScale(yScale, yDomain, [plot.y + plot.height, plot.y]),
});

export function lineChart(spec: CurveSpec): Picture & { readonly layout: CurveLayout } {
  const { series, xScale = 'linear', yScale = 'linear' } = spec;
  const width = Math.max(1, spec.width);
  const height = Math.max(1, spec.height);
  const xDomain = axisDomain(
    xScale,
    series.flatMap(({ x }) => Array.from(x)),
    false,
  );
  const yValues = series.flatMap(({ y, low, high, otherValues = [] }) =>
    [y, low, high, ...otherValues].flatMap((values) => (values ? Array.from(values) : [])),
  );
  const yDomain = spec.yDomain ?? axisDomain(yScale, yValues, true);
  const yTicks = axisTicks(yScale, axisScale(yScale, yDomain, [0, 1]), 5);
  const [minLeft, minRight] = spec.margins ?? [0, 10];
  const left = Math.max(minLeft, Math.ceil(maxTextWidth(yTicks.map((value) => formatNumber(value, { short: true })))) + 10);
  const names = series.map(({ name }) => shorten(name, Math.min(120, Math.max(108, width * 0.3))));
  const right = Math.max(
    minRight,
    Math.ceil(maxTextWidth(series.length > 1 || spec.cursor !== undefined ? names : [], LABEL_SIZE, true)) + 10,
  );
  const plot = { x: left, y: 26, width: Math.max(10, width - left - right), height: Math.max(10, height - 26 - 38) };
  const layout = { plot, xDomain, yDomain, xScale, yScale, names };
  const { toX, toY } = createScales(layout);
  const axisMarks = drawAxes(spec, plot, toX, toY);
  const lines = series.flatMap((line, index) => seriesMarks(line, seriesTone(series, index), toX, toY, 2, width - 4));
  const marks = [...axisMarks, ...lines, ...guideLabels(spec, plot, toX, toY, [...axisMarks, ...lines])];
  marks.push(
    ...(spec.cursor === undefined ? nameMarks(series, names, plot, toY) : cursorMarks(series, spec.cursor, names, plot, toX, toY)),
  );
  return { width, height, title: spec.title, description: describeChart(spec), rasters: [], marks, layout };
}

function guideLabels({ series, guides = [] }: CurveSpec, plot: Box, toX: AxisScale, toY: AxisScale, otherMarks: readonly Mark[]): Mark[] {
  const drawnLines = series.map(
    ({ x, y }): DrawnLine =>
      Array.from(x, (value, at) => {
        const point = { x: toX(value), y: toY(entryAt(y, at)) };
        return Number.isFinite(point.x) && Number.isFinite(point.y) ? point : undefined;
      }),
  );
  return guides.flatMap(({ axis, at, label }) => {
    const y = toY(at);
    return axis === 'y' && y >= plot.y && y <= plot.y + plot.height ? guideLabelMarks(label, y, plot, drawnLines, otherMarks) : [];
  });
}

function describeChart({ series, xTitle, yTitle }: CurveSpec): string {
  if (series.length === 0) return VIEW_STRINGS.lines.none;
  const describeLine = (s: Series): string => {
    const { min, max } = extent(s.y);
    return VIEW_STRINGS.lines.one(s.name, formatRange(min, max));
  };
  return `${VIEW_STRINGS.lines.count(series.length, yTitle, xTitle)}. ${series.map(describeLine).join('; ')}.`;
}

/**
 * Returns the x coordinate, in data units, of a point of the picture (CSS px), clamped to the axis. Returns undefined to the left or right of the
 * plot.
 */
export function xAt(layout: CurveLayout, x: number): number | undefined {
  const { plot } = layout;
  if (x < plot.x - 4 || x > plot.x + plot.width + 4) return undefined;
  return createScales(layout).toX.clamped().invert(x);
}
