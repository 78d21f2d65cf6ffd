// Draws points in the plane, each with a label and an arrow to its output.

import { translateMark } from '../../../charts/compose.ts';
import { linearScale } from '../../../charts/curve/axis-scale.ts';
import { countWithNoun } from '../../../charts/english.ts';
import { entryAt } from '../../../charts/entry-at.ts';
import { formatNumber, formatRange } from '../../../charts/number.ts';
import type { Mark } from '../../../charts/picture.ts';
import { type Scene, stepIndex } from '../../../charts/scene.ts';
import { LABEL_SIZE, shorten, textWidth } from '../../../charts/text-metrics.ts';
import { wrapText } from '../../../charts/wrapped-text.ts';

const pointsText = (count: number, range: string) => `${countWithNoun(count, 'point')}; outputs have coordinates ${range}.`;

/** [points, 2] */
interface PlanePoints {
  readonly data: ArrayLike<number>;
}

export interface PointSetSceneSpec {
  readonly points: PlanePoints;
  readonly outputs: PlanePoints;
  /** Outputs to draw as dashed rings for comparison. */
  readonly referenceOutputs?: PlanePoints | undefined;
  readonly labels: readonly string[];
  readonly cursorAxis: string;
  readonly range: readonly [number, number];
  readonly title: string;
  readonly note: string;
  readonly axes: readonly [string, string];
  readonly width: number;
  readonly maxHeight?: number | undefined;
}

const TOP_MARGIN = 44;
const FOOTER_HEIGHT = 42;
const MAX_SIDE = 420;
/** The pointer selects a point within this distance, CSS px. */
const HIT_DISTANCE = 26;

/** Returns the points whose labels do not overlap earlier ones. Other points are labelled only at the cursor. */
function selectLabelledPoints(
  labels: readonly string[],
  locate: (index: number) => { readonly x: number; readonly y: number },
): ReadonlySet<number> {
  const fittingIndices = new Set<number>();
  labels.forEach((text, index) => {
    const { x, y } = locate(index);
    const overlapsLabel = (other: number): boolean => {
      const { x: left, y: top } = locate(other);
      const minDistance = (textWidth(text, LABEL_SIZE) + textWidth(labels[other] as string, LABEL_SIZE)) / 2;
      return Math.abs(left - x) < minDistance && Math.abs(top - y) < LABEL_SIZE;
    };
    if (![...fittingIndices].some(overlapsLabel)) fittingIndices.add(index);
  });
  return fittingIndices;
}

export function pointSetScene({
  points,
  outputs,
  referenceOutputs,
  labels,
  cursorAxis,
  range,
  title,
  note,
  axes,
  width,
  maxHeight,
}: PointSetSceneSpec): Scene {
  const count = labels.length;
  const left = 42;
  const noteText = wrapText([note], width - 12, LABEL_SIZE, 'muted');
  const side = Math.max(
    60,
    Math.min(MAX_SIDE, width - left - 10, (maxHeight ?? Number.POSITIVE_INFINITY) - TOP_MARGIN - FOOTER_HEIGHT - noteText.height - 2),
  );
  const plot = { x: left, y: TOP_MARGIN, width: side, height: side };
  const xScale = linearScale(range, [plot.x, plot.x + side]);
  const yScale = linearScale(range, [plot.y + side, plot.y]);
  const locate = ({ data }: PlanePoints, index: number) => ({
    x: xScale(entryAt(data, 2 * index)),
    y: yScale(entryAt(data, 2 * index + 1)),
  });
  const ticks = xScale.ticks(Math.max(2, Math.min(5, side / 60)));
  const marks: Mark[] = [
    { kind: 'text', tone: 'ink', bold: true, size: 14, x: 0, y: 8, text: shorten(title, width, 14, true) },
    { kind: 'text', tone: 'ink', x: 0, y: 29, text: `${axes[1]} ↑` },
  ];
  for (const tick of ticks) {
    const tone = tick === 0 ? 'muted' : 'hairline';
    const text = formatNumber(tick, { short: true });
    marks.push(
      { kind: 'line', tone, x1: xScale(tick), y1: plot.y, x2: xScale(tick), y2: plot.y + side },
      { kind: 'line', tone, x1: plot.x, y1: yScale(tick), x2: plot.x + side, y2: yScale(tick) },
      { kind: 'text', tone: 'muted', x: xScale(tick), y: plot.y + side + LABEL_SIZE, text, anchor: 'middle' },
      { kind: 'text', tone: 'muted', x: plot.x - 6, y: yScale(tick), text, anchor: 'end' },
    );
  }
  marks.push({ kind: 'text', tone: 'ink', x: plot.x + side, y: plot.y + side + 27, text: `${axes[0]} →`, anchor: 'end' });
  const indices = Array.from({ length: count }, (_, index) => index);
  for (const index of indices) {
    const [from, to] = [locate(points, index), locate(outputs, index)];
    marks.push({ kind: 'line', tone: 'muted', opacity: 0.6, key: `way-${index}`, x1: from.x, y1: from.y, x2: to.x, y2: to.y });
  }
  const labelledIndices = selectLabelledPoints(labels, (index) => locate(points, index));
  for (const index of indices) {
    const [from, to] = [locate(points, index), locate(outputs, index)];
    const text = labels[index] as string;
    marks.push(
      { kind: 'circle', tone: 'halo', cx: from.x, cy: from.y, r: 8 },
      { kind: 'circle', tone: 'muted', key: `point-${index}`, cx: from.x, cy: from.y, r: 8, outline: true },
      ...(labelledIndices.has(index) ? ([{ kind: 'text', tone: 'ink', ...from, anchor: 'middle', text }] as const) : []),
      { kind: 'circle', tone: 'accent', key: `output-${index}`, cx: to.x, cy: to.y, r: 3.5 },
    );
  }
  if (referenceOutputs)
    for (const index of indices) {
      const { x, y } = locate(referenceOutputs, index);
      marks.push({ kind: 'circle', tone: 'ink', cx: x, cy: y, r: 6.5, outline: true, dashed: true });
    }
  const noteY = plot.y + side + FOOTER_HEIGHT;
  marks.push(...noteText.marks.map((mark) => translateMark(mark, 0, noteY)));
  const outputCoordinates = Array.from({ length: 2 * count }, (_, position) => entryAt(outputs.data, position));
  return {
    picture: {
      width: Math.max(1, width),
      height: Math.ceil(noteY + noteText.height + 2),
      title,
      description: pointsText(count, formatRange(Math.min(...outputCoordinates), Math.max(...outputCoordinates))),
      rasters: [],
      marks,
    },
    overlay({ [cursorAxis]: index }) {
      if (index === undefined || !Number.isInteger(index) || index < 0 || index >= count) return [];
      const [from, to] = [locate(points, index), locate(outputs, index)];
      const text = labels[index] as string;
      return [
        { kind: 'line', tone: 'cursor', stroke: 2, x1: from.x, y1: from.y, x2: to.x, y2: to.y },
        { kind: 'circle', tone: 'halo', cx: from.x, cy: from.y, r: Math.max(9, textWidth(text, LABEL_SIZE, true) / 2 + 3) },
        {
          kind: 'circle',
          tone: 'cursor',
          cx: from.x,
          cy: from.y,
          r: Math.max(9, textWidth(text, LABEL_SIZE, true) / 2 + 3),
          outline: true,
          stroke: 2.5,
        },
        { kind: 'text', tone: 'cursor', bold: true, x: from.x, y: from.y, anchor: 'middle', text },
        { kind: 'circle', tone: 'halo', cx: to.x, cy: to.y, r: 7, outline: true, stroke: 4.5 },
        { kind: 'circle', tone: 'cursor', cx: to.x, cy: to.y, r: 7, outline: true, stroke: 2.5 },
      ];
    },
    hit(x, y) {
      let nearestPoint: { readonly index: number; readonly distance: number } | undefined;
      for (const index of indices)
        for (const location of [locate(points, index), locate(outputs, index)]) {
          const distance = Math.hypot(location.x - x, location.y - y);
          if (distance <= HIT_DISTANCE && (!nearestPoint || distance < nearestPoint.distance)) nearestPoint = { index, distance };
        }
      return nearestPoint && { [cursorAxis]: nearestPoint.index };
    },
    step: (cursor, columns, rows) => ({ ...cursor, [cursorAxis]: stepIndex(cursor[cursorAxis], columns + rows, count) }),
  };
}
