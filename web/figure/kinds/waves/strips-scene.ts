// Draws each line in its own strip, for example the channels of a position table. All strips have the same scale.

import { linearScale } from '../../../charts/curve/axis-scale.ts';
import { axisPointerMarks } from '../../../charts/curve/line-labels.ts';
import { linePath } from '../../../charts/curve/line-path.ts';
import { toneOf, valueDomain } from '../../../charts/curve/series.ts';
import { joinWithAnd } from '../../../charts/english.ts';
import { entryAt } from '../../../charts/entry-at.ts';
import { extent } from '../../../charts/grid.ts';
import { formatNumber, formatRange } from '../../../charts/number.ts';
import type { Mark } from '../../../charts/picture.ts';
import { type Scene, stepIndex } from '../../../charts/scene.ts';
import { VIEW_STRINGS } from '../../../charts/strings.ts';
import { LABEL_SIZE, maxTextWidth, shorten, textWidth } from '../../../charts/text-metrics.ts';

const describeStrips = (lines: string, range: string, names: readonly string[]) => `${lines}, ${range}: ${joinWithAnd.format(names)}.`;

export interface Strip {
  readonly name: string;
  /** Text to the right of the strip, such as a wavelength. */
  readonly note?: string | undefined;
  /** The coordinate of this strip on `stripAxis`. */
  readonly id: number;
  readonly y: ArrayLike<number>;
}

export interface StripsSceneSpec {
  readonly strips: readonly Strip[];
  /** The x coordinates of the points, in ascending order. */
  readonly x: ArrayLike<number>;
  /** Names of the cursor axes. `xAxis` is along x, `stripAxis` is across the strips. */
  readonly xAxis: string;
  readonly stripAxis: string;
  readonly title: string;
  readonly xTitle: string;
  /** Title of the y axis, which all strips share. */
  readonly yTitle: string;
  readonly width: number;
  readonly maxHeight?: number | undefined;
}

const TOP_HEIGHT = 24;
const FOOTER_HEIGHT = 40;
/** Minimum height of a strip that has range labels, in px. */
const MIN_HEIGHT_WITH_RANGE = 40;
/** Distance between range labels and the edges of the strip, in px. */
const LABEL_INSET = 4;
/** Minimum width of a picture for showing notes, in px. */
const MIN_WIDTH_WITH_NOTES = 520;
/** Maximum number of points for which a line is drawn with dots. */
const MAX_DOTS = 100;

export function createStripsScene(spec: StripsSceneSpec): Scene {
  const { strips, x, xAxis, stripAxis } = spec;
  const width = Math.max(1, spec.width);
  const names = strips.map(({ name }) => shorten(name, Math.min(110, width * 0.3), LABEL_SIZE, true));
  const notes = strips.map(({ note }) => (width < MIN_WIDTH_WITH_NOTES ? '' : shorten(note ?? '', 150)));
  const [minValue, maxValue] = valueDomain(
    strips.flatMap(({ y }) => Array.from(y)),
    true,
  );
  const ticks = [minValue, maxValue].map((value) => formatNumber(value, { short: true }));
  const stripPitch = Math.max(24, Math.min(64, ((spec.maxHeight ?? 560) - TOP_HEIGHT - FOOTER_HEIGHT) / Math.max(1, strips.length)));
  const hasRangeLabels = stripPitch >= MIN_HEIGHT_WITH_RANGE;
  const leftMargin = Math.ceil(maxTextWidth(names, LABEL_SIZE, true) + (hasRangeLabels ? maxTextWidth(ticks) + 22 : 14));
  // The right margin leaves space for the value at the cursor.
  const rightMargin = Math.ceil(Math.max(maxTextWidth(notes), textWidth('−0.0000', LABEL_SIZE, true))) + 12;
  const plot = { x: leftMargin, width: Math.max(10, width - leftMargin - rightMargin) };
  const stripHeight = stripPitch - Math.max(6, stripPitch * 0.16);
  const bottom = TOP_HEIGHT + strips.length * stripPitch;
  const xScale = linearScale(valueDomain(Array.from(x), false), [plot.x, plot.x + plot.width]);
  const getStripMiddleY = (strip: number): number => TOP_HEIGHT + (strip + 0.5) * stripPitch;
  const createYScale = (strip: number) =>
    linearScale([minValue, maxValue], [getStripMiddleY(strip) + stripHeight / 2, getStripMiddleY(strip) - stripHeight / 2]);

  const marks: Mark[] = [
    { kind: 'text', tone: 'ink', x: 0, y: 8, text: shorten(`${spec.yTitle} ↑`, width) },
    ...xScale.ticks(Math.max(2, Math.min(8, plot.width / 64))).flatMap((value): Mark[] => [
      { kind: 'line', tone: 'hairline', x1: xScale(value), y1: TOP_HEIGHT, x2: xScale(value), y2: bottom + 4 },
      {
        kind: 'text',
        tone: 'muted',
        x: xScale(value),
        y: bottom + 13,
        text: formatNumber(value, { short: true, digits: 6 }),
        anchor: 'middle',
      },
    ]),
    ...strips.flatMap((strip, index) => drawStrip(strip, index)),
    {
      kind: 'text',
      tone: 'ink',
      x: plot.x + plot.width,
      y: bottom + 30,
      text: shorten(`${spec.xTitle} →`, plot.x + plot.width),
      anchor: 'end',
    },
  ];

  function drawStrip({ y }: Strip, index: number): Mark[] {
    const scale = createYScale(index);
    const tone = toneOf(index);
    const points = Array.from({ length: Math.min(x.length, y.length) }, (_, i) => i);
    const d = linePath(points.map((i) => (Number.isFinite(y[i]) ? { x: xScale(entryAt(x, i)), y: scale(entryAt(y, i)) } : undefined)));
    const drawRangeLine = (value: number, text: string): Mark[] => [
      { kind: 'line', tone: 'hairline', x1: plot.x, y1: scale(value), x2: plot.x + plot.width, y2: scale(value) },
      // The labels are inset, so that they do not touch the labels of the next strip.
      ...(hasRangeLabels
        ? [
            {
              kind: 'text',
              tone: 'muted',
              x: plot.x - 5,
              y: scale(value) + (value === maxValue ? LABEL_INSET : -LABEL_INSET),
              text,
              anchor: 'end',
            } as const,
          ]
        : []),
    ];
    const dots = points.length <= MAX_DOTS && plot.width / points.length >= 5 ? points.filter((i) => Number.isFinite(y[i])) : [];
    return [
      ...drawRangeLine(minValue, ticks[0] as string),
      ...drawRangeLine(maxValue, ticks[1] as string),
      { kind: 'text', tone, bold: true, x: 0, y: getStripMiddleY(index), text: names[index] as string },
      { kind: 'text', tone: 'muted', x: plot.x + plot.width + 8, y: getStripMiddleY(index), text: notes[index] as string },
      ...(d ? [{ kind: 'path', tone, key: `strip-${index}`, d, stroke: 1.75 } as const] : []),
      ...dots.map((i): Mark => ({ kind: 'circle', tone, cx: xScale(entryAt(x, i)), cy: scale(entryAt(y, i)), r: 2 })),
    ];
  }

  const findStripIndex = (id: number | undefined): number => (id === undefined ? -1 : strips.findIndex((strip) => strip.id === id));
  const { min, max } = extent(strips.flatMap(({ y }) => Array.from(y)));
  return {
    picture: {
      width,
      height: bottom + FOOTER_HEIGHT,
      title: spec.title,
      description: describeStrips(
        VIEW_STRINGS.lines.count(strips.length, spec.yTitle, spec.xTitle),
        formatRange(min, max),
        strips.map(({ name }) => name),
      ),
      rasters: [],
      marks,
    },
    overlay({ [xAxis]: pointIndex, [stripAxis]: id }) {
      const highlightedStrip = findStripIndex(id);
      const overlayMarks: Mark[] = [];
      if (highlightedStrip >= 0) {
        const nameWidth = textWidth(names[highlightedStrip] as string, LABEL_SIZE, true);
        overlayMarks.push({
          kind: 'line',
          tone: 'cursor',
          x1: 0,
          y1: getStripMiddleY(highlightedStrip) + 9,
          x2: nameWidth,
          y2: getStripMiddleY(highlightedStrip) + 9,
          stroke: 2,
        });
      }
      const cursorX = pointIndex === undefined ? undefined : x[pointIndex];
      if (pointIndex === undefined || cursorX === undefined) return overlayMarks;
      const cursorLineX = xScale(cursorX);
      overlayMarks.push({ kind: 'line', tone: 'cursor', key: 'cursor', x1: cursorLineX, y1: TOP_HEIGHT, x2: cursorLineX, y2: bottom });
      strips.forEach(({ y }, index) => {
        const value = y[pointIndex] ?? Number.NaN;
        const text = Number.isFinite(value) ? formatNumber(value) : VIEW_STRINGS.noValue;
        if (Number.isFinite(value))
          overlayMarks.push({ kind: 'circle', tone: toneOf(index), cx: cursorLineX, cy: createYScale(index)(value), r: 4 });
        overlayMarks.push(
          { kind: 'rect', tone: 'halo', x: plot.x + plot.width + 5, y: getStripMiddleY(index) - 8, width: rightMargin - 5, height: 16 },
          { kind: 'text', tone: toneOf(index), bold: true, x: plot.x + plot.width + 8, y: getStripMiddleY(index), text },
        );
      });
      overlayMarks.push(...axisPointerMarks(cursorLineX, bottom + 6, cursorX, marks));
      return overlayMarks;
    },
    hit(pointerX, pointerY) {
      const strip = Math.floor((pointerY - TOP_HEIGHT) / stripPitch);
      const pointedStrip = strips[strip];
      if (!pointedStrip || pointerX < plot.x - 4 || pointerX > plot.x + plot.width + 4 || x.length === 0) return undefined;
      let nearestIndex = 0;
      for (let i = 1; i < x.length; i++)
        if (Math.abs(xScale(entryAt(x, i)) - pointerX) < Math.abs(xScale(entryAt(x, nearestIndex)) - pointerX)) nearestIndex = i;
      return { [xAxis]: nearestIndex, [stripAxis]: pointedStrip.id };
    },
    step(cursor, columns, rows) {
      if (x.length === 0 || strips.length === 0) return cursor;
      const highlightedStrip = findStripIndex(cursor[stripAxis]);
      const strip = stepIndex(highlightedStrip < 0 ? undefined : highlightedStrip, rows, strips.length);
      return { ...cursor, [xAxis]: stepIndex(cursor[xAxis], columns, x.length), [stripAxis]: (strips[strip] as Strip).id };
    },
  };
}
