// The bounding box of a picture's contents, which may be smaller than the picture.

import type { Box, Mark, PathMark, Picture } from './picture.ts';
import { isFilled } from './render/attributes.ts';
import { LABEL_SIZE, textWidth } from './text-metrics.ts';

interface Point {
  readonly x: number;
  readonly y: number;
}

const ARGUMENT_COUNTS: { readonly [command: string]: number } = { M: 2, L: 2, H: 1, V: 1, C: 6, Q: 4, A: 7, Z: 0 };

/** Returns points whose convex hull contains an SVG path: corners, control points, and the corners of a square around the end of each arc. */
function pathPoints(d: string): Point[] {
  const points: Point[] = [];
  let currentPoint: Point = { x: 0, y: 0 };
  let subpathStart = currentPoint;
  for (const [, letter = '', argumentText = ''] of d.matchAll(/([a-zA-Z])([^a-zA-Z]*)/g)) {
    const command = letter.toUpperCase();
    const count = ARGUMENT_COUNTS[command];
    if (count === undefined) throw new Error(`d: ${letter} is not a supported path command`);
    const values = (argumentText.match(/-?\d*\.?\d+(?:e-?\d+)?/g) ?? []).map(Number);
    const originOfLetter = (): Point => (letter === command ? { x: 0, y: 0 } : currentPoint);
    if (command === 'Z') currentPoint = subpathStart;
    for (let begin = 0; count > 0 && begin + count <= values.length; begin += count) {
      const { x, y } = originOfLetter();
      const coordinates = values.slice(begin, begin + count);
      const [endY = 0, endX = 0] = [coordinates.at(-1), coordinates.at(-2)];
      if (command === 'H') currentPoint = { x: x + endY, y: currentPoint.y };
      else if (command === 'V') currentPoint = { x: currentPoint.x, y: y + endY };
      else {
        if (command === 'A') {
          const [radiusX = 0, radiusY = 0] = coordinates;
          const [arcStart, arcEnd] = [currentPoint, { x: x + endX, y: y + endY }];
          const isLargeArc = coordinates[3] === 1;
          // No point of an arc up to a semicircle is farther from its end than its start is.
          const distance = isLargeArc
            ? 2 * Math.max(radiusX, radiusY)
            : Math.min(2 * Math.max(radiusX, radiusY), Math.hypot(arcEnd.x - arcStart.x, arcEnd.y - arcStart.y));
          points.push({ x: arcEnd.x - distance, y: arcEnd.y - distance }, { x: arcEnd.x + distance, y: arcEnd.y + distance });
        } else
          for (let index = 0; index + 1 < count; index += 2)
            points.push({ x: x + (coordinates[index] as number), y: y + (coordinates[index + 1] as number) });
        currentPoint = { x: x + endX, y: y + endY };
      }
      if (command === 'M' && begin === 0) subpathStart = currentPoint;
      points.push(currentPoint);
    }
  }
  return points;
}

function pointsOf(mark: Mark): Point[] {
  switch (mark.kind) {
    case 'line':
      return [
        { x: mark.x1, y: mark.y1 },
        { x: mark.x2, y: mark.y2 },
      ];
    case 'circle':
      return [
        { x: mark.cx - mark.r, y: mark.cy - mark.r },
        { x: mark.cx + mark.r, y: mark.cy + mark.r },
      ];
    case 'rect':
      return cornersOf(mark);
    case 'path':
      return pathPoints(mark.d).map(({ x, y }) => ({ x: x + (mark.by?.x ?? 0), y: y + (mark.by?.y ?? 0) }));
    case 'text': {
      const size = mark.size ?? LABEL_SIZE;
      const width = textWidth(mark.text, size, mark.bold);
      const x = mark.x - (mark.anchor === 'middle' ? width / 2 : mark.anchor === 'end' ? width : 0);
      return cornersOf({ x, y: mark.y - 0.6 * size, width, height: 1.2 * size });
    }
  }
}

const cornersOf = ({ x, y, width, height }: Box): Point[] =>
  [x, x + width].flatMap((cornerX) => [y, y + height].map((cornerY) => ({ x: cornerX, y: cornerY })));

function rotatedPoint({ x, y }: Point, { rotation }: Mark): Point {
  if (!rotation) return { x, y };
  const angle = (rotation.degrees * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const [offsetX, offsetY] = [x - rotation.x, y - rotation.y];
  return { x: rotation.x + offsetX * cos - offsetY * sin, y: rotation.y + offsetX * sin + offsetY * cos };
}

const halfStroke = (mark: Mark): number => (mark.kind === 'text' || isFilled(mark) ? 0 : ((mark as PathMark).stroke ?? 1) / 2);

/** Returns the bounding box of all visible contents, clipped to the picture. If nothing is visible, returns the box of the whole picture. */
export function computeBounds({ width, height, rasters, marks }: Picture): Box {
  const visibleMarks = marks.filter(({ opacity }) => opacity !== 0);
  const allPoints = [
    ...rasters.flatMap(cornersOf),
    ...visibleMarks.flatMap((mark) => {
      const extent = halfStroke(mark);
      return pointsOf(mark).flatMap((point) => {
        const { x, y } = rotatedPoint(point, mark);
        return [
          { x: x - extent, y: y - extent },
          { x: x + extent, y: y + extent },
        ];
      });
    }),
  ];
  if (allPoints.length === 0) return { x: 0, y: 0, width, height };
  // A loop instead of Math.min(...), because a long text has more points than a call can have arguments.
  let [left, top, right, bottom] = [width, height, 0, 0];
  for (const { x, y } of allPoints) {
    left = Math.min(left, Math.max(0, x));
    top = Math.min(top, Math.max(0, y));
    right = Math.max(right, Math.min(width, x));
    bottom = Math.max(bottom, Math.min(height, y));
  }
  return { x: left, y: top, width: Math.max(1, right - left), height: Math.max(1, bottom - top) };
}
