// A line chart as a scene. The cursor has an axis for x, and optionally one for the lines.

import { entryAt } from '../entry-at.ts';
import type { Mark } from '../picture.ts';
import { type Scene, stepIndex } from '../scene.ts';
import { LABEL_SIZE, textWidth } from '../text-metrics.ts';
import { type CurveSpec, createScales, lineChart } from './curve.ts';
import { type PointerValue, pointerMarks } from './line-labels.ts';
import { type Series, seriesMarks, seriesTone } from './series.ts';

/** A line that uses the chart's x coordinates. Missing points are NaN. */
export interface SceneLine extends Omit<Series, 'x'> {
  /** The cursor index of this line; default: its index in the list. */
  readonly id?: number | undefined;
}

export interface CurveSceneSpec extends Omit<CurveSpec, 'series' | 'cursor' | 'height'> {
  /** The possible x coordinates of the cursor, ascending. */
  readonly x: ArrayLike<number>;
  readonly series: readonly SceneLine[];
  /** The cursor axis of x, such as 'query', 'distance' or 'pair'. */
  readonly axis: string;
  /** The cursor index of x[0]; default: 0. For distances from -(n - 1) to n - 1, it is -(n - 1). */
  readonly firstIndex?: number | undefined;
  /** The cursor axis of the lines, such as 'head' or 'channel'. Vertical arrow keys select a line, which is then drawn heavier. */
  readonly seriesAxis?: string | undefined;
  /** Height in CSS px; default: half the width, from 180 to 320. */
  readonly height?: number | undefined;
  readonly maxHeight?: number | undefined;
  /** Range of the y axis, fixed while a point is dragged. Lines are clipped to this range. */
  readonly dragRange?: readonly [number, number] | undefined;
}

/** Maximum number of lines for which the cursor shows every value. With more lines, it shows only the value of the selected one. */
const MAX_VALUE_LINES = 6;
/** The maximum distance from a line in CSS px at which a pointer selects the line. */
const SELECTION_DISTANCE = 24;
/** How far outside the plot a point can be dragged, in CSS px. The axis is rescaled on release. */
const MAX_OVERSHOOT = 20;
const STEPS_PER_AXIS = 60;

/** Replaces values more than 10% outside the range with NaN, which leaves gaps. */
const clipToRange = (y: ArrayLike<number>, [lo, hi]: readonly [number, number]): Float64Array =>
  Float64Array.from(y, (value) => (value < lo - (hi - lo) / 10 || value > hi + (hi - lo) / 10 ? Number.NaN : value));

export function curveScene({
  x,
  series: lines,
  axis,
  firstIndex = 0,
  seriesAxis,
  height,
  maxHeight,
  dragRange,
  ...chartSpec
}: CurveSceneSpec): Scene {
  const spec = dragRange ? { ...chartSpec, yDomain: dragRange } : chartSpec;
  const series = lines.map((line): Series => ({ ...line, x, ...(dragRange ? { y: clipToRange(line.y, dragRange) } : {}) }));
  const ids = lines.map(({ id }, index) => id ?? index);
  const preferredHeight = height ?? Math.max(180, Math.min(320, spec.width / 2));
  const picture = lineChart({
    ...spec,
    series,
    height: maxHeight === undefined ? preferredHeight : Math.max(140, Math.min(maxHeight, preferredHeight)),
  });
  const { layout } = picture;
  const { plot, names } = layout;
  const { toX, toY } = createScales(layout);

  const pointAt = (line: number, index: number): PointerValue['point'] => {
    const y = series[line]?.y[index];
    return y === undefined || !Number.isFinite(toY(y)) ? undefined : { x: entryAt(x, index), y };
  };
  const lineIndexOf = (id: number | undefined): number | undefined => {
    const line = id === undefined ? -1 : ids.indexOf(id);
    return line < 0 ? undefined : line;
  };

  return {
    picture,
    overlay(cursor) {
      const highlightedIndex = seriesAxis === undefined ? undefined : lineIndexOf(cursor[seriesAxis]);
      const marks: Mark[] = [];
      if (highlightedIndex !== undefined) marks.push(...selectedLineMarks(highlightedIndex));
      const cursorIndex = cursor[axis];
      const index = cursorIndex === undefined ? Number.NaN : cursorIndex - firstIndex;
      const cursorX = x[index];
      if (cursorX === undefined) return marks;
      const visibleLines = series
        .map((_, line) => line)
        .filter((line) => (highlightedIndex !== undefined ? line === highlightedIndex : series.length <= MAX_VALUE_LINES));
      const pointerValues = visibleLines.map((line) => ({ tone: seriesTone(series, line), point: pointAt(line, index) }));
      return [...marks, ...pointerMarks(cursorX, pointerValues, plot, toX, toY, picture.marks)];
    },
    hit(px, py) {
      if (px < plot.x - 4 || px > plot.x + plot.width + 4 || py < 0 || py > plot.y + plot.height + 24 || x.length === 0) return undefined;
      let index = 0;
      for (let i = 1; i < x.length; i++) {
        if (Math.abs(toX(entryAt(x, i)) - px) < Math.abs(toX(entryAt(x, index)) - px)) index = i;
      }
      const cursor = { [axis]: firstIndex + index };
      if (seriesAxis === undefined) return cursor;
      const nearestLine = series
        .map((_, line) => ({ id: entryAt(ids, line), distance: Math.abs(toY(pointAt(line, index)?.y ?? Number.NaN) - py) }))
        .filter(({ distance }) => distance <= SELECTION_DISTANCE)
        .sort((a, b) => a.distance - b.distance)[0];
      return nearestLine ? { ...cursor, [seriesAxis]: nearestLine.id } : cursor;
    },
    step(cursor, columns, rows) {
      if (x.length === 0 || series.length === 0) return cursor;
      const cursorIndex = cursor[axis];
      const index = stepIndex(cursorIndex === undefined ? undefined : cursorIndex - firstIndex, columns, x.length);
      const nextCursor = { ...cursor, [axis]: firstIndex + index };
      if (seriesAxis === undefined || rows === 0) return nextCursor;
      const line = stepIndex(lineIndexOf(cursor[seriesAxis]), rows, series.length);
      return { ...nextCursor, [seriesAxis]: entryAt(ids, line) };
    },
    dragHandle(cursor) {
      const line = seriesAxis === undefined ? undefined : lineIndexOf(cursor[seriesAxis]);
      const cursorIndex = cursor[axis];
      const point = line === undefined || cursorIndex === undefined ? undefined : pointAt(line, cursorIndex - firstIndex);
      if (!point) return undefined;
      const [top, bottom] = [plot.y - MAX_OVERSHOOT, plot.y + plot.height + MAX_OVERSHOOT];
      const [tick = 0, nextTick = 1] = toY.ticks(STEPS_PER_AXIS);
      return {
        x: toX(point.x),
        y: toY(point.y),
        value: point.y,
        valueAt: (height) => toY.invert(Math.max(top, Math.min(bottom, height))),
        step: nextTick - tick,
        range: layout.yDomain,
      };
    },
  };

  function selectedLineMarks(line: number): Mark[] {
    const lineSeries = series[line] as Series;
    const tone = seriesTone(series, line);
    const marks = seriesMarks(
      { ...lineSeries, name: `lit-${lineSeries.name}`, low: undefined, high: undefined, end: undefined },
      tone,
      toX,
      toY,
      3.5,
    );
    const nameMark = picture.marks.find(
      (mark) => mark.kind === 'text' && mark.tone === tone && mark.text === names[line] && mark.x > plot.x + plot.width,
    );
    if (nameMark?.kind !== 'text') return marks;
    const box = { x: nameMark.x - 2, y: nameMark.y - 7, width: textWidth(nameMark.text, LABEL_SIZE, true) + 4, height: 14 };
    return [...marks, { kind: 'rect', tone: 'halo', ...box }, { ...nameMark, bold: true }];
  }
}
