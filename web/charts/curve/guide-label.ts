// Places the label of a horizontal guide where no line crosses it, or else on a background over the lines.
import type { Box, Mark } from '../picture.ts';
import { LABEL_SIZE, shorten, textWidth } from '../text-metrics.ts';

/** Points of a line in CSS px, in order. An undefined point leaves a gap. */
export type DrawnLine = readonly ({ readonly x: number; readonly y: number } | undefined)[];

const LABEL_HEIGHT = LABEL_SIZE + 2;
/** Candidate offsets in px of the label's centre from the guide, the nearest first. */
const LABEL_OFFSETS = [-8, 9, -15, 16];
const SAMPLE_SPACING = 3;

const containsPoint = ({ x, y, width, height }: Box, point: { readonly x: number; readonly y: number }): boolean =>
  point.x >= x && point.x <= x + width && point.y >= y && point.y <= y + height;

function countCrossings(box: Box, lines: readonly DrawnLine[]): number {
  let count = 0;
  for (const line of lines) {
    for (let at = 0; at < line.length; at++) {
      const [from, to] = [line[at], line[at + 1] ?? line[at]];
      if (!from || !to || Math.max(from.x, to.x) < box.x || Math.min(from.x, to.x) > box.x + box.width) continue;
      const sampleCount = Math.max(1, Math.ceil(Math.hypot(to.x - from.x, to.y - from.y) / SAMPLE_SPACING));
      for (let sampleIndex = 0; sampleIndex < sampleCount; sampleIndex++) {
        const fraction = sampleIndex / sampleCount;
        if (containsPoint(box, { x: from.x + fraction * (to.x - from.x), y: from.y + fraction * (to.y - from.y) })) count += 1;
      }
    }
  }
  return count;
}

const doOverlap = (a: Box, b: Box): boolean => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

const textBoxes = (marks: readonly Mark[], plot: Box): Box[] =>
  marks.flatMap((mark) => {
    if (mark.kind !== 'text' || mark.x < plot.x || mark.y < plot.y || mark.y > plot.y + plot.height) return [];
    const width = textWidth(mark.text);
    const left = mark.anchor === 'end' ? mark.x - width : mark.anchor === 'middle' ? mark.x - width / 2 : mark.x;
    return [{ x: left, y: mark.y - LABEL_HEIGHT / 2, width, height: LABEL_HEIGHT }];
  });

/**
 * @param y the y coordinate of the guide
 * @param otherMarks marks whose text the label must not cover
 */
export function guideLabelMarks(label: string, y: number, plot: Box, lines: readonly DrawnLine[], otherMarks: readonly Mark[]): Mark[] {
  const text = shorten(label, plot.width - 8);
  const width = textWidth(text);
  const occupiedBoxes = textBoxes(otherMarks, plot);
  const xPositions = [plot.x + 4, plot.x + (plot.width - width) / 2, plot.x + plot.width - width - 4];
  const boxes = LABEL_OFFSETS.flatMap((position) =>
    xPositions.map((x): Box => ({ x, y: y + position - LABEL_HEIGHT / 2, width, height: LABEL_HEIGHT })),
  );
  const candidates = boxes.filter(
    (box) => box.y >= plot.y && box.y + LABEL_HEIGHT <= plot.y + plot.height && !occupiedBoxes.some((other) => doOverlap(box, other)),
  );
  const boxCrossings = (candidates.length > 0 ? candidates : boxes).map((box) => ({ box, count: countCrossings(box, lines) }));
  const minCrossings = Math.min(...boxCrossings.map(({ count }) => count));
  const { x, y: top } = (boxCrossings.find(({ count }) => count === minCrossings) as (typeof boxCrossings)[number]).box;
  const background: Mark[] =
    minCrossings === 0 ? [] : [{ kind: 'rect', tone: 'halo', x: x - 2, y: top, width: width + 4, height: LABEL_HEIGHT, opacity: 0.85 }];
  return [...background, { kind: 'text', tone: 'muted', x, y: top + LABEL_HEIGHT / 2, text }];
}
