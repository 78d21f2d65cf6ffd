// A line chart, such as attention by distance. Each line is labelled at its right end.
import { type ScaleLinear, scaleLinear } from 'd3-scale';
import { line } from 'd3-shape';
import { cursorMarks, nameMarks } from './curve-labels.ts';
import { domain, type Series, toneOf } from './curve-series.ts';
import { extent } from './grid.ts';
import { formatCount, formatNumber, formatRange } from './number.ts';
import type { Box, Mark, Picture } from './picture.ts';
import { shorten, widest } from './text-metrics.ts';

export type { Series };

export interface CurveSpec {
  /** Up to six lines have distinct colours. */
  readonly series: readonly Series[];
  readonly title: string;
  readonly xTitle: string;
  readonly yTitle: string;
  readonly width: number;
  readonly height: number;
  /** The x the user points at: every line shows its value there. */
  readonly cursor?: number | undefined;
}

export interface CurveLayout {
  readonly plot: Box;
  readonly xDomain: readonly [number, number];
  readonly yDomain: readonly [number, number];
}

/** Lines with axes that span the data. */
export function curve(spec: CurveSpec): Picture & { readonly layout: CurveLayout } {
  const { series } = spec;
  const width = Math.max(1, spec.width);
  const height = Math.max(1, spec.height);
  const xDomain = domain(
    series.flatMap((one) => Array.from(one.x)),
    false,
  );
  const yDomain = domain(
    series.flatMap((one) => Array.from(one.y)),
    true,
  );
  const yTicks = scaleLinear(yDomain, [0, 1]).ticks(5);
  const left = Math.ceil(widest(yTicks.map((value) => formatNumber(value, { short: true })))) + 10;
  const names = series.map(({ name }) => shorten(name, Math.min(120, width * 0.3)));
  const right = Math.max(10, Math.ceil(widest(series.length > 1 || spec.cursor !== undefined ? names : [])) + 10);
  const plot = { x: left, y: 26, width: Math.max(10, width - left - right), height: Math.max(10, height - 26 - 38) };
  const across = scaleLinear(xDomain, [plot.x, plot.x + plot.width]);
  const up = scaleLinear(yDomain, [plot.y + plot.height, plot.y]);
  const path = line<number>();
  const marks: Mark[] = [...axes(spec, plot, across, up)];
  series.forEach((one, index) => {
    const points = Array.from({ length: Math.min(one.x.length, one.y.length) }, (_, i) => i);
    const d = path
      .defined((i) => Number.isFinite(one.x[i]) && Number.isFinite(one.y[i]))
      .x((i) => across(one.x[i] as number))
      .y((i) => up(one.y[i] as number))
      .digits(2)(points);
    if (d) marks.push({ kind: 'path', tone: toneOf(index), key: `line-${one.name}`, d, stroke: 2 });
  });
  marks.push(
    ...(spec.cursor === undefined ? nameMarks(series, names, plot, up) : cursorMarks(series, spec.cursor, names, plot, across, up)),
  );
  return { width, height, title: spec.title, description: summary(spec), rasters: [], marks, layout: { plot, xDomain, yDomain } };
}

function axes(spec: CurveSpec, plot: Box, across: ScaleLinear<number, number>, up: ScaleLinear<number, number>): Mark[] {
  const marks: Mark[] = [{ kind: 'text', tone: 'ink', x: 0, y: 8, text: shorten(`${spec.yTitle} ↑`, spec.width) }];
  const right = plot.x + plot.width;
  const bottom = plot.y + plot.height;
  for (const value of up.ticks(Math.max(2, Math.min(5, plot.height / 28)))) {
    const y = up(value);
    marks.push({ kind: 'line', tone: value === 0 ? 'muted' : 'hairline', x1: plot.x, y1: y, x2: right, y2: y });
    marks.push({ kind: 'text', tone: 'muted', x: plot.x - 7, y, text: formatNumber(value, { short: true }), anchor: 'end' });
  }
  for (const value of across.ticks(Math.max(2, Math.min(8, plot.width / 64)))) {
    const x = across(value);
    marks.push({ kind: 'line', tone: 'muted', x1: x, y1: bottom, x2: x, y2: bottom + 4 });
    marks.push({ kind: 'text', tone: 'muted', x, y: bottom + 13, text: formatNumber(value, { short: true, digits: 6 }), anchor: 'middle' });
  }
  marks.push({ kind: 'text', tone: 'ink', x: right, y: bottom + 30, text: shorten(`${spec.xTitle} →`, plot.width), anchor: 'end' });
  return marks;
}

function summary({ series, xTitle, yTitle }: CurveSpec): string {
  if (series.length === 0) return 'No lines.';
  const one = (s: Series): string => {
    const { min, max } = extent(s.y);
    return `${s.name}: ${formatRange(min, max)}`;
  };
  return `${formatCount(series.length, 'line')} of ${yTitle} over ${xTitle}. ${series.map(one).join('; ')}.`;
}

/** The x of the data under a point of the picture (CSS px), clamped to the axis; undefined left or right of the plot. */
export function xAt({ plot, xDomain }: CurveLayout, x: number): number | undefined {
  if (x < plot.x - 4 || x > plot.x + plot.width + 4) return undefined;
  return scaleLinear([plot.x, plot.x + plot.width], [...xDomain]).clamp(true)(x);
}
